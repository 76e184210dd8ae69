import js from '@eslint/js';
import tseslint from 'typescript-eslint';

const noSleep = 'Wait on a fact (an event, a counter), not on a sleep.';

export default tseslint.config(
  { ignores: ['dist', 'out', 'node_modules', 'test-results', 'allure-results', 'playwright-report'] },
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      'max-lines': ['error', 250],
      'no-restricted-imports': ['error', { paths: [{ name: 'node:timers/promises', message: noSleep }] }],
    },
  },
  {
    // node:test's `test` returns a promise that its own runner awaits.
    files: ['**/*.test.ts'],
    rules: { '@typescript-eslint/no-floating-promises': 'off', '@typescript-eslint/require-await': 'off' },
  },
  {
    files: ['suites/**/*.ts', 'fixtures/**/*.ts', 'src/scenario/**/*.ts', 'src/judge/**/*.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'expect', property: 'poll', message: 'Timing never goes through expect.poll (seen 0.9 s late).' },
      ],
    },
  },
  {
    // Playwright reads the names of fixtures from the pattern, so one that needs none is written `{}`.
    files: ['suites/**/*.ts', 'fixtures/**/*.ts'],
    rules: { 'no-empty-pattern': ['error', { allowObjectPatternsAsParameters: true }] },
  },
  {
    files: ['**/*.mjs', '**/*.cjs'],
    ...tseslint.configs.disableTypeChecked,
    rules: {
      ...tseslint.configs.disableTypeChecked.rules,
      'no-redeclare': ['error', { builtinGlobals: false }],
    },
    languageOptions: {
      parserOptions: { ...tseslint.configs.disableTypeChecked.languageOptions.parserOptions },
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        performance: 'readonly',
        module: 'writable',
      },
    },
  },
);
