import { h, fill } from "./dom.js";
/** @type {import("./app.js").ViewModule["show"]} */
export async function show(main, route, app) {
  fill(main, h("button", {test: "start-example-1", on: {click: async () => {
    const html = await (await fetch("/page/examples/news.html")).text();
    await app.open([{name: "news", html, url: null}]);
  }}}, "example"));
  return () => {};
}
