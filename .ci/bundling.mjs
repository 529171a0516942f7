/**
 * How esbuild compiles sources for Node.js: modules that several import stand in files of their own, dependencies are left.
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
