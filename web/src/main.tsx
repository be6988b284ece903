/* The page: what stands around every view, and the choice of the view by the address. */
import { render } from "preact";
import "./page.css";
import { switchTheme, useTheme } from "./theme";

function ThemeSwitch() {
  const theme = useTheme();
  return (
    <button type="button" class="quiet" onClick={switchTheme}>
      {theme === "dark" ? "Light" : "Dark"}
    </button>
  );
}

function App() {
  return (
    <>
      <header>
        <h1>Gumshoe</h1>
        <ThemeSwitch />
      </header>
      <main />
    </>
  );
}

const place = document.getElementById("page");
if (place) render(<App />, place);
