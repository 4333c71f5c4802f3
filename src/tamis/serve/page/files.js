/** Files of people as pages: dropped, chosen, whole folders, in any encoding. */

const PAGE = /\.(html?|xhtml|xht)$/i;
// Where a page may declare its encoding, by the standard.
const HEAD = 1024;
const DECLARED =
  /<meta[^>]*?charset\s*=\s*["']?\s*([\w:.-]+)|<\?xml[^>]*?encoding\s*=\s*["']([\w:.-]+)/i;

/**
 * The text of an HTML file: by its byte order mark, what it declares, else UTF-8 or, if it is not that,
 * what browsers take old pages for.
 *
 * @param {ArrayBuffer} buffer
 */
export function decoded(buffer) {
  const bytes = new Uint8Array(buffer);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const head = new TextDecoder("windows-1252").decode(bytes.subarray(0, HEAD));
    const declared = DECLARED.exec(head);
    return decoderOf(declared?.[1] ?? declared?.[2] ?? "windows-1252").decode(bytes);
  }
}

/** @param {string} name */
function decoderOf(name) {
  try {
    return new TextDecoder(name);
  } catch {
    return new TextDecoder("windows-1252");
  }
}

/**
 * The files that are pages; a single file is meant, whatever it is called.
 *
 * @template {{name: string}} F
 * @param {Iterable<F>} files
 * @returns {F[]}
 */
export function pagesOf(files) {
  const all = [...files];
  return all.length === 1 ? all : all.filter((file) => PAGE.test(file.name));
}

/**
 * What was dropped, with all that is in dropped folders.
 *
 * @param {DataTransfer | null} data
 * @returns {Promise<File[]>}
 */
export async function droppedFiles(data) {
  // The entries are gone after the first pause.
  const entries = [...(data?.items ?? [])]
    .map((item) => item.webkitGetAsEntry())
    .filter((entry) => entry !== null);
  if (!entries.length) return [...(data?.files ?? [])];
  return (await Promise.all(entries.map(filesIn))).flat();
}

/**
 * @param {FileSystemEntry} entry
 * @returns {Promise<File[]>}
 */
async function filesIn(entry) {
  if (entry.isFile) {
    const file = /** @type {FileSystemFileEntry} */ (entry);
    return [await new Promise((resolve, reject) => file.file(resolve, reject))];
  }
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  const files = [];
  for (;;) {
    // A reader gives some entries at a time, and none at the end.
    /** @type {FileSystemEntry[]} */
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return files;
    files.push(...(await Promise.all(some.map(filesIn))).flat());
  }
}
