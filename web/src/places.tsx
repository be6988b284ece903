/* A range of the program to be found by typing: a function, a line, addresses. */
import { useEffect, useRef, useState } from "preact/hooks";
import { address, Failure, get } from "./api";
import type { Place, Places } from "./types";

/* What a counter looks at: everything, or a range. */
export interface Where {
  text: string;
  first: number;
  last: number;
}

export const EVERYWHERE: Where = { text: "", first: 0, last: 0xffffffff };

export function isEverywhere(where: Where): boolean {
  return where.first === 0 && where.last === 0xffffffff;
}

function whereOf(place: Place): Where {
  return { text: place.text, first: Number(place.first), last: Number(place.last) };
}

function hex(value: number): string {
  return "0x" + value.toString(16).padStart(8, "0");
}

export function rangeText(where: Where): string {
  return where.text || `${hex(where.first)}-0x${(where.last + 1).toString(16)}`;
}

interface Found {
  places: Place[];
  problem: string;
}

function usePlaces(stream: string, text: string, isOpen: boolean): Found {
  const [found, set] = useState<Found>({ places: [], problem: "" });
  useEffect(() => {
    if (!isOpen) return undefined;
    const abort = new AbortController();
    const timer = window.setTimeout(() => {
      get<Places>(address("/api/live/places", { stream, search: text }), abort.signal).then(
        (answer) => {
          const hint = answer.has_program ? "nothing is called so" : "the program is not known (--program): addresses only, such as 0x80000000-0x80000100";
          set({ places: answer.places, problem: answer.problem ?? (answer.places.length === 0 && text ? hint : "") });
        },
        (error: unknown) => {
          if (!abort.signal.aborted) set({ places: [], problem: error instanceof Failure ? error.message : String(error) });
        },
      );
    }, 120);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [stream, text, isOpen]);
  return found;
}

export function PlaceBox(props: { id: string; label: string; stream: string; value: Where; onChange: (where: Where) => void; isWrong: (wrong: boolean) => void }) {
  const { id, value } = props;
  const shown = isEverywhere(value) ? "" : rangeText(value);
  const [text, setText] = useState(shown);
  const [isOpen, open] = useState(false);
  const [at, move] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const { places, problem } = usePlaces(props.stream, text, isOpen);
  const isChosen = text === shown;
  useEffect(() => move(0), [places]);
  useEffect(() => props.isWrong(!isChosen), [isChosen]);
  useEffect(() => box.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }), [at]);

  const choose = (where: Where): void => {
    props.onChange(where);
    setText(isEverywhere(where) ? "" : rangeText(where));
    open(false);
  };
  const leave = (): void => {
    open(false);
    if (text.trim() === "") choose(EVERYWHERE);
  };
  const onKey = (event: KeyboardEvent): void => {
    const place = places[at];
    if (event.key === "ArrowDown" && !isOpen) open(true);
    else if (event.key === "ArrowDown") move(Math.min(places.length - 1, at + 1));
    else if (event.key === "ArrowUp") move(Math.max(0, at - 1));
    else if (event.key === "Enter" && isOpen && place && text) choose(whereOf(place));
    else if (event.key === "Escape" && (isOpen || !isChosen)) {
      setText(shown);
      open(false);
    } else return;
    event.preventDefault();
  };
  return (
    <div class="place" ref={box}>
      <input
        id={id}
        class="mono"
        role="combobox"
        aria-label={props.label}
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && places[at] ? `${id}-${at}` : undefined}
        aria-invalid={!isChosen && !isOpen}
        placeholder="everywhere"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          open(true);
        }}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={leave}
        onKeyDown={onKey}
      />
      <ul id={`${id}-list`} role="listbox" aria-label="Found" hidden={!isOpen || places.length === 0}>
        {places.map((place, i) => (
          <li
            key={place.kind + place.text + place.first}
            id={`${id}-${i}`}
            role="option"
            aria-selected={i === at}
            onMouseDown={(event) => {
              event.preventDefault();
              choose(whereOf(place));
            }}
          >
            <span class="mono">{place.text}</span>
            <span class="soft">
              {place.kind} at {place.first}
            </span>
          </li>
        ))}
      </ul>
      {isOpen && problem && (
        <p class="hint" role="status">
          {problem}
        </p>
      )}
      {!isOpen && !isChosen && (
        <p class="hint bad" role="alert">
          Choose one of what is found, or leave it empty.
        </p>
      )}
    </div>
  );
}
