/* The address of a view: #/place/of/view?name=value. Every choice that is worth a link is in it. */
import { useEffect, useState } from "preact/hooks";

export interface Place {
  parts: string[];
  values: URLSearchParams;
  hash: string; // what all of it was read from
}

function parse(hash: string): Place {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  return { parts: path.split("/").filter(Boolean).map(decodeURIComponent), values: new URLSearchParams(query), hash };
}

function read(): Place {
  try {
    return parse(location.hash);
  } catch {
    return { ...parse(""), hash: location.hash }; // an address that was cut
  }
}

export function usePlace(): Place {
  const [place, set] = useState(read());
  useEffect(() => {
    const changed = (): void => set(read());
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return place;
}

export type Values = Record<string, string | number | boolean | undefined>;

/* Values that are undefined, false or empty are left out. */
export function link(parts: (string | number)[], values: Values = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== false && value !== "") query.set(name, value === true ? "1" : String(value));
  }
  const text = query.toString();
  return "#/" + parts.map((part) => encodeURIComponent(String(part))).join("/") + (text ? "?" + text : "");
}

export function go(to: string): void {
  location.hash = to;
}

/* The same place with other values, without a step of its own in the browser's history. */
export function change(place: Place, values: Values): void {
  const all: Values = Object.fromEntries(place.values);
  history.replaceState(null, "", link(place.parts, { ...all, ...values }));
  dispatchEvent(new HashChangeEvent("hashchange"));
}
