// Errors with the codes of the Python package and its server.

import { ERROR_CODES } from './tables.js';

/** An error that is raised on purpose; `code` is stable, the message says what to do. */
export class InkscanError extends Error {
  /**
   * @param {keyof typeof ERROR_CODES} name as in Python, such as 'MalformedInk'
   * @param {string} message
   * @param {number | null} position in the LaTeX text or the tokens that cannot be read
   */
  constructor(name, message, position = null) {
    super(message);
    this.name = name;
    /** @type {string} */
    this.code = ERROR_CODES[name];
    this.position = position;
  }
}
