/* Light or dark: as the system says, unless the switch was used; the choice is kept in this browser. */
import { useEffect, useState } from "preact/hooks";

export type Theme = "light" | "dark";
const KEY = "gumshoe-theme";
const systemDark = window.matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();

function chosen(): Theme | null {
  try {
    const value = localStorage.getItem(KEY);
    return value === "light" || value === "dark" ? value : null;
  } catch {
    return null; // a browser that keeps nothing
  }
}

let choice = chosen();

export function currentTheme(): Theme {
  return choice ?? (systemDark.matches ? "dark" : "light");
}

function apply(): void {
  document.documentElement.dataset["theme"] = currentTheme();
  listeners.forEach((listener) => listener());
}

export function switchTheme(): void {
  choice = currentTheme() === "dark" ? "light" : "dark";
  try {
    localStorage.setItem(KEY, choice);
  } catch {
    // it lasts as long as the page
  }
  apply();
}

systemDark.addEventListener("change", apply);
apply();

/* Renders again when it changes: canvases have no style sheet. */
export function useTheme(): Theme {
  const [theme, set] = useState(currentTheme());
  useEffect(() => {
    const listener = (): void => set(currentTheme());
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return theme;
}

/* The value of a variable of the style sheet, such as "--ink". */
export function themeColour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
