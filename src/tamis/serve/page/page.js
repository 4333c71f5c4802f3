import { h, fill } from "./dom.js";
import { PageFrame } from "./frame.js";
/** @type {import("./app.js").ViewModule["show"]} */
export async function show(main, route, app) {
  const holder = h("div", {class: "frame-holder"});
  fill(main, holder);
  const frame = new PageFrame(holder);
  const view = await app.api.post("/v1/view", {html: app.state.html, base_url: app.state.url});
  await frame.load(view);
  frame.paint((block) => view.blocks[block].kept ? {className: "tamis-kept", strength: view.blocks[block].score} : {opacity: .35});
  return () => frame.close();
}
