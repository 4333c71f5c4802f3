export async function show() { return () => {}; }
