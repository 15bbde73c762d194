import { readFileSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';

const { version } = JSON.parse(
  readFileSync(new URL('./package.json', import.meta.url), 'utf8'),
) as { version: string };

/** Where the API listens while the app is being developed; a built app is served by the API itself. */
const api = process.env.API_ORIGIN ?? 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [
    react(),
    VitePWA({
      // A new version waits until no page uses the old one: never in the middle of a transfer.
      registerType: 'prompt',
      injectRegister: null,
      // The manifest is a file of its own, in public/.
      manifest: false,
      workbox: {
        globPatterns: ['**/*.{html,js,css,wasm,svg,png,webmanifest}'],
        // Tools for building the app, and parts of SQLite's package that are not used.
        globIgnores: [
          '**/workbench-*',
          '**/share-target.js',
          '**/sqlite3-worker1-*',
          '**/sqlite3-opfs-async-proxy-*',
        ],
        maximumFileSizeToCacheInBytes: 4 * 1024 * 1024,
        // What other apps share arrives where no page is yet.
        importScripts: ['/share-target.js'],
        navigateFallback: '/index.html',
        // Screens live at / and below /pages; every other address is the server's.
        navigateFallbackAllowlist: [/^\/$/, /^\/pages\//],
      },
    }),
  ],
  define: { __APP_VERSION__: JSON.stringify(version) },
  worker: { format: 'es' },
  // The SQLite build finds its .wasm beside itself, which pre-bundling would move.
  optimizeDeps: { exclude: ['@sqlite.org/sqlite-wasm'] },
  build: {
    target: 'es2023',
    sourcemap: true,
    // How long plugins took is of no use to whoever starts Linnet.
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  server: { proxy: { '/api': api, '/alien-user': api } },
});
