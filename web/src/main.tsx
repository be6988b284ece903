/* The page: what stands around every view, and the choice of the view by the address. */
import { render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { address, type Answer, useAnswer } from "./api";
import { lastPart } from "./format";
import { Loading, Problem } from "./parts";
import { link, type Place, usePlace } from "./router";
import "./page.css";
import { switchTheme, useTheme } from "./theme";
import type { Overview, Session } from "./types";
import { CallTreeView } from "./views/calltree";
import { COMPARED, CompareView } from "./views/compare";
import { CachesView, EnergyView } from "./views/costs";
import { FlameView } from "./views/flame";
import { LiveView } from "./views/live";
import { OverviewView } from "./views/overview";
import { PipelineView } from "./views/pipeline";
import { RunsView } from "./views/runs";
import { SourceView } from "./views/source";
import { KINDS, TableView } from "./views/tables";
import { TimelineView } from "./views/timeline";

/* The token has become a cookie; it has no business in the address, its history, or a screenshot. */
if (new URLSearchParams(location.search).has("token")) history.replaceState(null, "", location.pathname + location.hash);

function ThemeSwitch() {
  const theme = useTheme();
  return (
    <button type="button" class="quiet" onClick={switchTheme} aria-label={theme === "dark" ? "Light colours" : "Dark colours"}>
      {theme === "dark" ? "☀ Light" : "☾ Dark"}
    </button>
  );
}

function Top({ overview, session }: { overview: Overview | null; session: Answer<Session> }) {
  const run = overview?.run;
  return (
    <header class="top">
      <a class="brand" href={link([])}>
        <img src="./icon.svg" alt="" />
        Gumshoe
      </a>
      <div class="crumbs">
        {run && (
          <>
            <span aria-hidden="true">/</span>
            <strong title={run.program}>{run.label || lastPart(run.program)}</strong>
            <span>
              run {run.id}
              {run.label && `, ${lastPart(run.program)}`}
              {run.core && ` on ${run.core}`}
            </span>
          </>
        )}
      </div>
      {session.failure?.kind === "gone" && session.value && (
        <span class="state" role="status">
          ● the server does not answer
        </span>
      )}
      <a href={link(["live"])}>Live</a>
      <ThemeSwitch />
    </header>
  );
}

function groups(run: string, isTimed: boolean): { title: string; items: [string, string, string][] }[] {
  const to = (...parts: string[]): string => link(["run", run, ...parts]);
  return [
    {
      title: "Where it went",
      items: [
        ["overview", "Overview", to("overview")],
        ["flame", "Flame graph", to("flame")],
        ["tree", "Call tree", to("tree")],
        ["timeline", "Timeline", to("timeline")],
      ],
    },
    {
      title: "Tables",
      items: KINDS.filter((kind) => isTimed || kind.key !== "stall").map(({ key, text }): [string, string, string] => [`table/${key}`, text, to("table", key)]),
    },
    {
      title: "The machine",
      items: isTimed
        ? [
            ["pipeline", "Pipeline", to("pipeline")],
            ["caches", "Caches", to("caches")],
            ["energy", "Energy", to("energy")],
          ]
        : [],
    },
  ];
}

function Views({ run, current, isTimed }: { run: string; current: string; isTimed: boolean }) {
  return (
    <nav class="views" aria-label="Views of the run">
      {groups(run, isTimed)
        .filter((group) => group.items.length > 0)
        .map((group) => [
          <h2 key={group.title}>{group.title}</h2>,
          <ul key={`${group.title} list`}>
            {group.items.map(([key, text, to]) => (
              <li key={key}>
                <a href={to} aria-current={key === current ? "page" : undefined}>
                  {text}
                </a>
              </li>
            ))}
          </ul>,
        ])}
    </nav>
  );
}

function NoView() {
  return (
    <div class="notice">
      <h2>There is no such view</h2>
      <p>
        <a href={link([])}>All runs</a>
      </p>
    </div>
  );
}

function RunView(props: { run: string; place: Place; session: Session; overview: Answer<Overview> }) {
  const { run, place, session, overview } = props;
  const [, , view = "overview", what = "function"] = place.parts;
  if (overview.failure && !overview.value) return <Problem failure={overview.failure} />;
  if (!overview.value) return <Loading what="the run" />;
  const { total } = overview.value;
  const isTimed = overview.value.run.core !== "";
  const common = { run, session, total, isTimed, place };
  switch (view) {
    case "overview":
      return <OverviewView run={run} session={session} />;
    case "flame":
      return <FlameView {...common} />;
    case "tree":
      return <CallTreeView {...common} />;
    case "timeline":
      return <TimelineView {...common} />;
    case "table":
      return KINDS.some((kind) => kind.key === what) ? <TableView {...common} kind={what} /> : <NoView />;
    case "source":
      return <SourceView {...common} at={what} />;
    case "pipeline":
      return <PipelineView run={run} total={total} place={place} />;
    case "caches":
      return <CachesView run={run} total={total} />;
    case "energy":
      return <EnergyView run={run} />;
    default:
      return <NoView />;
  }
}

function View(props: { place: Place; session: Session; run: string | null; overview: Answer<Overview> }) {
  const { place, session, run, overview } = props;
  const [first, second, third, fourth = "function"] = place.parts;
  if (run !== null) return <RunView run={run} place={place} session={session} overview={overview} />;
  if (first === undefined) return <RunsView place={place} />;
  if (first === "live") return <LiveView session={session} place={place} />;
  if (first === "compare" && second && third && COMPARED.includes(fourth)) return <CompareView before={second} after={third} kind={fourth} session={session} place={place} />;
  return <NoView />;
}

const PULSE = 5000; // milliseconds between questions whether the server is still there

function usePulse(session: Answer<Session>): void {
  const again = useRef(session.again);
  again.current = session.again;
  useEffect(() => {
    const timer = setInterval(() => again.current(), PULSE);
    return () => clearInterval(timer);
  }, []);
}

function App() {
  const place = usePlace();
  const session = useAnswer<Session>("/api/session", true);
  usePulse(session);
  const run = place.parts[0] === "run" ? (place.parts[1] ?? "") : null;
  const overview = useAnswer<Overview>(run !== null && session.value ? address("/api/overview", { run, brief: true }) : null);
  const shown = run !== null ? overview.value : null;
  const main = useRef<HTMLElement>(null);
  const path = place.parts.join("/");
  useEffect(() => {
    document.title = ["Gumshoe", shown && (shown.run.label || lastPart(shown.run.program)), place.parts[2]].filter(Boolean).join(" – ");
  }, [path, shown]);
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        To the content
      </a>
      <Top overview={shown} session={session} />
      <div class={run !== null ? "body" : "body plain"}>
        {run !== null && <Views run={run} isTimed={shown === null || shown.run.core !== ""} current={place.parts.slice(2, place.parts[2] === "table" ? 4 : 3).join("/")} />}
        <main id="main" ref={main} tabIndex={-1} key={place.parts[0] === "live" ? "live" : path} data-address={place.hash}>
          {session.value ? (
            <View place={place} session={session.value} run={run} overview={overview} />
          ) : session.failure ? (
            <Problem failure={session.failure} />
          ) : (
            <Loading what="the session" />
          )}
        </main>
      </div>
    </>
  );
}

const place = document.getElementById("page");
if (place) render(<App />, place);
