/* What devices count while they run: one of them is chosen, told what to count, and watched. */
import { useRef, useState } from "preact/hooks";
import { address, Failure, post } from "../api";
import { type Canvas, type Curve, curveColour, Curves, type Scale } from "../curves";
import { useStream, useStreams } from "../follow";
import { brief, count, hertz, lastPart, seconds } from "../format";
import { Problem, Shown } from "../parts";
import { change, go, link, type Place } from "../router";
import type { Session, Stream, Streams } from "../types";
import { SettingForm } from "./live_setting";

const WINDOWS: [string, number, string][] = [
  ["", 300, "last 300 intervals"],
  ["2000", 2000, "last 2,000 intervals"],
  ["all", 0, "the whole stream"],
];
const SCALES: [Scale, string][] = [
  ["clock", "per clock"],
  ["interval", "per interval"],
  ["most", "of its largest value"],
];

function stateOf(stream: Stream): string {
  if (stream.running) return "running";
  if (stream.program_ended) return "program ended";
  if (stream.ended) return "stopped";
  return stream.live ? "silent" : "not ended";
}

/* The streams of each device, the newest first. */
function devicesOf(streams: Stream[]): Map<string, Stream[]> {
  const devices = new Map<string, Stream[]>();
  for (const stream of [...streams].sort((a, b) => b.began_us - a.began_us)) {
    const list = devices.get(stream.device);
    if (list) list.push(stream);
    else devices.set(stream.device, [stream]);
  }
  return devices;
}

function Devices(props: { devices: Map<string, Stream[]>; device: string; chosen: Stream }) {
  const streams = props.devices.get(props.device) ?? [];
  return (
    <nav class="card" aria-label="Devices">
      <h2>Devices</h2>
      <ul class="plain">
        {[...props.devices].map(([device, [newest]]) => (
          <li key={device}>
            <a href={link(["live", device])} aria-current={device === props.device ? "page" : undefined}>
              Device {device}
            </a>{" "}
            {newest && (
              <span class="soft">
                {newest.address}
                {newest.program_file && `, ${lastPart(newest.program_file)}`}
              </span>
            )}{" "}
            {newest && <span class={newest.running ? "chip on" : "chip"}>{stateOf(newest)}</span>}
          </li>
        ))}
      </ul>
      {streams.length > 1 && (
        <details open={streams[0]?.name !== props.chosen.name}>
          <summary>{streams.length} streams of this device</summary>
          <ul class="plain">
            {streams.map((stream, i) => (
              <li key={stream.name}>
                <a href={i === 0 ? link(["live", props.device]) : link(["live", props.device], { stream: stream.name })} aria-current={stream.name === props.chosen.name ? "page" : undefined}>
                  {new Date(stream.began_us / 1000).toISOString().slice(0, 19).replace("T", " ")}
                </a>{" "}
                <span class="soft">
                  {count(stream.received)} intervals, {stateOf(stream)}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </nav>
  );
}

/* Devices that do not send by themselves are asked at an address. */
function AskForm() {
  const [text, set] = useState("");
  const [said, say] = useState("");
  const ask = async (): Promise<void> => {
    try {
      await post(address("/api/live/device", { address: text.trim() }), "");
      say("Asked. It appears above when it answers.");
    } catch (error) {
      say(error instanceof Failure ? error.message : String(error));
    }
  };
  return (
    <form
      class="card"
      aria-label="Ask for a device"
      onSubmit={(event) => {
        event.preventDefault();
        void ask();
      }}
    >
      <label for="ask">Ask for a device at</label>
      <p class="row">
        <input id="ask" class="mono" placeholder="10.0.0.2:4750" value={text} spellcheck={false} autocomplete="off" onInput={(event) => set(event.currentTarget.value)} />
        <button type="submit" disabled={!text.trim()}>
          Ask
        </button>
      </p>
      <p class="hint" role="status">
        {said}
      </p>
    </form>
  );
}

function Facts({ stream, streams, isConnected }: { stream: Stream; streams: Streams; isConnected: boolean }) {
  const { refused } = streams;
  const strangers = refused ? refused.foreign + refused.forged + refused.unanswered : 0;
  const facts: [string, string, string, boolean][] = [
    ["State", isConnected ? stateOf(stream) : "no connection", stream.file ? "recorded" : "not recorded", false],
    ["Intervals", count(stream.received), `of ${brief(stream.interval)} clocks`, false],
    ["Clocks", brief(stream.cycle), stream.clock_hz ? `${seconds(stream.cycle / stream.clock_hz)} at ${hertz(stream.clock_hz)}` : "", false],
    ["Lost", count(stream.lost), `of ${count(stream.received + stream.lost)} sent; ${count(stream.late)} late, ${count(stream.doubled)} doubled`, stream.lost > 0],
    ["Not sent", count(stream.unsent), "by the device", stream.unsent > 0],
  ];
  if (refused) facts.push(["Refused", count(strangers), refused.overrun ? `and no room for ${count(refused.overrun)}` : "of all devices", strangers > 0]);
  return (
    <dl class="facts">
      {facts.map(([name, value, more, isBad]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class={isBad ? "up" : undefined}>
            {value} <small>{more}</small>
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface Cursor {
  cycle: number | null;
  values: (number | null)[];
}

function valueText(value: number | null | undefined, scale: Scale): string {
  if (value === null || value === undefined) return "–";
  return scale === "interval" ? brief(Math.round(value)) : scale === "clock" ? value.toFixed(4) : `${(100 * value).toFixed(1)}%`;
}

/* Totals are exact, whatever was lost on the way: the device sends them with each interval. */
function Totals(props: { stream: Stream; hidden: ReadonlySet<number>; onToggle: (index: number) => void; cursor: Cursor; curves: Curve[]; latest: number[]; scale: Scale }) {
  const { stream, hidden, cursor } = props;
  const isAtCursor = cursor.cycle !== null;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Counters">
      <table>
        <thead>
          <tr>
            <th scope="col">Curve</th>
            <th scope="col">Counter</th>
            <th scope="col" class="number">
              Total
            </th>
            <th scope="col" class="number">
              Per clock
            </th>
            <th scope="col" class="number">
              {isAtCursor ? `At clock ${brief(cursor.cycle ?? 0)}` : "Last interval"}
            </th>
          </tr>
        </thead>
        <tbody>
          {stream.counters.map((counter, i) => {
            const drawn = props.curves.findIndex((curve) => curve.index === i);
            return (
              <tr key={i}>
                <td>
                  <input type="checkbox" checked={!hidden.has(i)} onChange={() => props.onToggle(i)} aria-label={`Draw ${counter.name}`} />{" "}
                  <i class="cause" style={{ background: hidden.has(i) ? "transparent" : curveColour(i) }} />
                </td>
                <td class="mono" title={`${counter.first} to ${counter.last}`}>
                  {counter.name}
                </td>
                <td class="number">{count(counter.total)}</td>
                <td class="number">{stream.cycle ? (counter.total / stream.cycle).toFixed(4) : "–"}</td>
                <td class="number">{isAtCursor ? valueText(drawn < 0 ? null : cursor.values[drawn], props.scale) : valueText(props.latest[i], "interval")}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Watch(props: { stream: Stream; streams: Streams; place: Place; onList: () => void }) {
  const { place, streams } = props;
  const canvas = useRef<Canvas>(null);
  const [cursor, setCursor] = useState<Cursor>({ cycle: null, values: [] });
  const { series, stream: fresh, problem, isConnected } = useStream(props.stream.name, { onPoints: () => canvas.current?.draw(), onList: props.onList });
  const stream = fresh ?? props.stream;
  const scale = SCALES.find(([key]) => key === place.values.get("scale"))?.[0] ?? "clock";
  const [windowKey, last] = WINDOWS.find(([key]) => key === (place.values.get("window") ?? "")) ?? ["", 300];
  const hidden = new Set((place.values.get("hidden") ?? "").split(",").filter(Boolean).map(Number));
  const curves = stream.counters.map((counter, index): Curve => ({ index, name: counter.name })).filter(({ index }) => !hidden.has(index));
  const toggle = (index: number): void => {
    if (hidden.has(index)) hidden.delete(index);
    else hidden.add(index);
    change(place, { hidden: [...hidden].sort((a, b) => a - b).join(",") });
  };
  return (
    <>
      <Facts stream={stream} streams={streams} isConnected={isConnected} />
      {problem && (
        <div class="notice bad" role="alert">
          <p>{problem}</p>
        </div>
      )}
      <div class="tools">
        <label for="window">
          Show
          <select id="window" value={windowKey} onChange={(event) => change(place, { window: event.currentTarget.value })}>
            {WINDOWS.map(([key, , text]) => (
              <option key={key} value={key}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <label for="scale">
          Curves
          <select id="scale" value={scale} onChange={(event) => change(place, { scale: event.currentTarget.value })}>
            {SCALES.map(([key, text]) => (
              <option key={key} value={key}>
                {text}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Curves series={series} curves={curves} scale={scale} last={last} interval={stream.interval} hasEnded={stream.ended} canvas={canvas} onCursor={(cycle, values) => setCursor({ cycle, values })} />
      <Totals stream={stream} hidden={hidden} onToggle={toggle} cursor={cursor} curves={curves} latest={series.latest()} scale={scale} />
    </>
  );
}

function NoDevices({ streams }: { streams: Streams }) {
  return (
    <div class="notice">
      <h2>No device has been heard yet</h2>
      {streams.listens_at ? (
        <p>
          A run that sends here: <code>gumshoe run --live {streams.listens_at} --core flatfoot PROGRAM</code>
        </p>
      ) : (
        <p>
          <code>gumshoe serve --live</code> receives from devices, and lets this page tell them what to count. What <code>gumshoe collect</code> writes to a file that is served is shown here, too.
        </p>
      )}
    </div>
  );
}

function Room(props: { streams: Streams; session: Session; place: Place; onList: () => void }) {
  const { streams, place, session } = props;
  const devices = devicesOf(streams.streams);
  const device = place.parts[1] ?? [...devices.keys()][0];
  const list = device === undefined ? undefined : devices.get(device);
  const named = place.values.get("stream");
  const stream = named ? list?.find((one) => one.name === named) : list?.[0];
  const isNewest = stream !== undefined && stream === list?.[0];
  const mayTell = session.live && stream?.live === true && isNewest && !stream.program_ended;
  if (devices.size === 0)
    return (
      <>
        <Listening onList={props.onList} />
        <NoDevices streams={streams} />
        {session.live && (
          <div class="live-grid">
            <AskForm />
          </div>
        )}
      </>
    );
  if (!device || !stream)
    return (
      <div class="notice">
        <h2>There is no such {list ? "stream" : "device"}</h2>
        <p>
          <a href={link(["live"])}>All devices</a>
        </p>
      </div>
    );
  return (
    <div class="live-grid">
      <div>
        <Devices devices={devices} device={device} chosen={stream} />
        {mayTell && <SettingForm key={device} stream={stream} signals={streams.signals} keepsIn={lastPart(streams.keeps_in ?? "")} onStarted={() => { props.onList(); go(link(["live", device])); }} />}
        {session.live && <AskForm />}
      </div>
      <div>
        <Watch key={stream.name} stream={stream} streams={streams} place={place} onList={props.onList} />
      </div>
    </div>
  );
}

/* Without a stream to follow, only of new ones is told. */
function Listening({ onList }: { onList: () => void }) {
  useStream(null, { onPoints: () => undefined, onList });
  return null;
}

export function LiveView({ session, place }: { session: Session; place: Place }) {
  const answer = useStreams();
  return (
    <>
      <div class="head">
        <h1>Live</h1>
        <p>{answer.value?.listens_at ? `Receiving at ${answer.value.listens_at}, recording in ${lastPart(answer.value.keeps_in ?? "")}` : "What has been collected; nothing can be told to devices from here"}</p>
      </div>
      {answer.value?.problem && <Problem failure={new Failure("io", `Nothing is received any more: ${answer.value.problem}`)} />}
      <Shown answer={answer} what="what is live">
        {(streams) => <Room streams={streams} session={session} place={place} onList={answer.again} />}
      </Shown>
    </>
  );
}
