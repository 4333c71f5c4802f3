// Before anything is shown, so that nothing flashes: the theme that was chosen the last time, or that
// of the system.
{
  let theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  try {
    theme = localStorage.getItem("tamis.theme") ?? theme;
  } catch {
    // No storage: the theme of the system.
  }
  document.documentElement.dataset["theme"] = theme;
}
