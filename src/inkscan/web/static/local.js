// The model in this browser. Here there is none: the app that needs no server is built with one in this file's place, which exports
//
//   async function openLocal(onProgress) -> {recognize(strokes, options), sheet(strokes, options), typeset?, name?, licence?, symbols?}
//
// where the first two answer as /v1/recognize and /v1/sheet do, and onProgress gets {loaded, total} in bytes.

export const openLocal = null;
