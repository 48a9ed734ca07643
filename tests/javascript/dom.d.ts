// What a page looks up in itself has the type that index.html gives it, which the compiler cannot know.
interface ParentNode {
  querySelector(selectors: string): any
  querySelectorAll(selectors: string): any
}
interface Document {
  getElementById(id: string): any
}
interface Element {
  style: any // of HTML, SVG and MathML alike
  dataset: any
  querySelector(selectors: string): any
  querySelectorAll(selectors: string): any
  closest(selectors: string): any
  setAttribute(name: string, value: string | number | boolean): void
  toggleAttribute(name: string, force?: any): boolean
}
interface Event {
  readonly detail: any // our events carry one
}
interface EventTarget {
  closest(selectors: string): any // what is clicked is an element
}
