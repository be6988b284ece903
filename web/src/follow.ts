/* Following what is live: the list of streams, and one stream as its intervals come. */
import { useEffect, useRef, useState } from "preact/hooks";
import { address, type Answer, useAnswer } from "./api";
import { Series } from "./series";
import type { Points, Stream, Streams } from "./types";

const AGAIN = 2000; // milliseconds between attempts, and between looks at files that another process writes

export function useStreams(): Answer<Streams> {
  const answer = useAnswer<Streams>("/api/live", true);
  const again = useRef(answer.again);
  again.current = answer.again;
  const listens = answer.value?.listens_at !== undefined;
  useEffect(() => {
    if (listens) return undefined; // the events say when there is something new
    const timer = setInterval(() => again.current(), AGAIN);
    return () => clearInterval(timer);
  }, [listens]);
  return answer;
}

export interface Following {
  series: Series;
  stream: Stream | null; // how it stands
  problem: string | null;
  isConnected: boolean;
}

interface Handlers {
  onPoints: () => void; // for what draws: often
  onList: () => void; // other streams have begun or ended
}

/* While the page is not seen, nothing is asked for: a browser has few connections to a server. */
export function useStream(name: string | null, handlers: Handlers): Following {
  const series = useRef(new Series());
  const now = useRef(handlers);
  now.current = handlers;
  const [stream, setStream] = useState<Stream | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isConnected, setConnected] = useState(false);
  useEffect(() => {
    series.current = new Series();
    setStream(null);
    setProblem(null);
    let source: EventSource | null = null;
    let timer = 0;
    const close = (): void => {
      clearTimeout(timer);
      source?.close();
      source = null;
    };
    const open = (): void => {
      close();
      if (document.hidden) return;
      const events = new EventSource(address("/api/live/events", { stream: name ?? undefined }));
      source = events;
      events.onopen = () => {
        setConnected(true);
        now.current.onList(); // whatever has changed meanwhile
      };
      events.onerror = () => {
        setConnected(false);
        if (events.readyState === EventSource.CLOSED) timer = window.setTimeout(open, AGAIN);
      };
      events.addEventListener("points", (event: MessageEvent<string>) => {
        series.current.add(JSON.parse(event.data) as Points);
        now.current.onPoints();
      });
      events.addEventListener("stream", (event: MessageEvent<string>) => {
        setStream(JSON.parse(event.data) as Stream);
        setProblem(null);
      });
      events.addEventListener("problem", (event: MessageEvent<string>) => setProblem(JSON.parse(event.data) as string));
      events.addEventListener("list", () => now.current.onList());
    };
    open();
    document.addEventListener("visibilitychange", open);
    return () => {
      document.removeEventListener("visibilitychange", open);
      close();
    };
  }, [name]);
  return { series: series.current, stream: stream?.name === name ? stream : null, problem, isConnected };
}
