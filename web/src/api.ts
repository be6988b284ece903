/* Asking the server. Answers about runs never change, so they are kept while the page is open. */
import { useEffect, useState } from "preact/hooks";

export class Failure extends Error {
  constructor(
    readonly kind: string,
    message: string,
  ) {
    super(message);
  }
}

const KEPT = 60;
const kept = new Map<string, unknown>();

export type Parameters = Record<string, string | number | boolean | undefined>;

export function address(path: string, parameters: Parameters = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== false && value !== "") query.set(name, value === true ? "1" : String(value));
  }
  const text = query.toString();
  return path + (text ? "?" + text : "");
}

async function failure(response: Response): Promise<Failure> {
  try {
    const body = (await response.json()) as { error: { kind: string; message: string } };
    return new Failure(body.error.kind, body.error.message);
  } catch {
    return new Failure("http", `the server answered ${response.status}`);
  }
}

async function request<T>(url: string, options: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(url, { credentials: "same-origin", ...options });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Failure("gone", "the server does not answer");
  }
  if (!response.ok) throw await failure(response);
  return (await response.json()) as T;
}

export function get<T>(url: string, signal?: AbortSignal): Promise<T> {
  return request<T>(url, signal ? { signal } : {});
}

export function post<T>(url: string, body: string): Promise<T> {
  return request<T>(url, { method: "POST", headers: { "Content-Type": "text/plain; charset=utf-8" }, body });
}

export async function getKept<T>(url: string, signal?: AbortSignal): Promise<T> {
  if (kept.has(url)) {
    const value = kept.get(url) as T;
    kept.delete(url); // asked for last, forgotten last
    kept.set(url, value);
    return value;
  }
  const value = await get<T>(url, signal);
  kept.set(url, value);
  for (const oldest of kept.keys()) {
    if (kept.size <= KEPT) break;
    kept.delete(oldest);
  }
  return value;
}

export interface Answer<T> {
  value: T | null; // the last one, also while the next is on its way
  failure: Failure | null;
  isLoading: boolean;
  again: () => void;
}

/* The answer to `url`; null asks nothing. A server that is away is asked again until it is back. */
export function useAnswer<T>(url: string | null, fresh = false): Answer<T> {
  const [state, set] = useState<{ value: T | null; failure: Failure | null; of: string | null }>({
    value: null,
    failure: null,
    of: null,
  });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (url === null) return undefined;
    const abort = new AbortController();
    let timer = 0;
    (fresh ? get<T>(url, abort.signal) : getKept<T>(url, abort.signal)).then(
      (value) => set({ value, failure: null, of: url }),
      (error: unknown) => {
        if (abort.signal.aborted) return;
        const why = error instanceof Failure ? error : new Failure("page", String(error));
        set((old) => ({ value: why.kind === "gone" ? old.value : null, failure: why, of: url }));
        if (why.kind === "gone") timer = window.setTimeout(() => setTurn((n) => n + 1), 1000);
      },
    );
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [url, turn, fresh]);
  return {
    value: url === null ? null : state.value,
    failure: state.of === url ? state.failure : null,
    isLoading: url !== null && state.of !== url,
    again: () => setTurn((n) => n + 1),
  };
}
