// Run from the top of the repository: eslint -c tests/javascript/eslint.config.mjs src js
import js from '@eslint/js'
import globals from 'globals'

export default [
  { ignores: ['**/node_modules/', '**/types/'] },
  js.configs.recommended,
  {
    languageOptions: {
      ecmaVersion: 2023,
      sourceType: 'module',
      globals: { ...globals.browser, ...globals.worker, ...globals.serviceworker, ...globals.nodeBuiltin },
    },
    rules: {
      eqeqeq: 'error',
      'no-var': 'error',
      'prefer-const': 'error',
      'no-unused-vars': ['error', { caughtErrors: 'none', argsIgnorePattern: '^_', ignoreRestSiblings: true }],
    },
  },
]
