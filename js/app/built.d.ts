// The build puts the package beside local.js, as inkscan/.
declare module '*/inkscan/download.js' {
  export const CACHE: typeof import('../src/download.js').CACHE
}
declare module '*/inkscan/index.js' {
  export const loadInWorker: typeof import('../src/index.js').loadInWorker
}
