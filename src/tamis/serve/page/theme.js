// Before anything is shown, so that nothing flashes: the theme that was chosen the last time.
try {
  const theme = localStorage.getItem("tamis.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset["theme"] = theme;
} catch {
  // No storage: the theme of the system.
}
