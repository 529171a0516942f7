/**
 * The options with which esbuild compiles sources for Node.js. Modules that several files import get files of their own;
 * dependencies are not bundled.
 * @type {import('esbuild').BuildOptions}
 */
export const bundling = {
  bundle: true,
  splitting: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  // Each Node.js knows \p{…}, of the Unicode that it has; esbuild would make a RegExp anew at each use.
  supported: { 'regexp-unicode-property-escapes': true },
  logLevel: 'warning',
}
