import { readFileSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import { defineConfig, type HtmlTagDescriptor, type Plugin } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { translatedDocument } from './scripts/document.ts';
import { readLicenses } from './scripts/licenses.ts';
import { towns } from './scripts/towns.ts';

const { version } = JSON.parse(
  readFileSync(new URL('./package.json', import.meta.url), 'utf8'),
) as { version: string };

/** Address of the API during development; a built app is served by the API itself. */
const api = process.env.API_ORIGIN ?? 'http://127.0.0.1:8080';

/** Modules that `main.tsx` needs at the start; collected during the build. */
const mainModules = new Set<string>();
/** The same for the sign-in screen. */
const entryModules = new Set<string>();

/**
 * Adds preload links for the app's code to the document, so that it downloads while the logo is painted;
 * `boot.ts` runs it afterwards.
 */
function preloadMain(): Plugin {
  return {
    name: 'preload-main',
    buildEnd() {
      const addTo = (modules: Set<string>) => (id: string) => {
        if (modules.has(id)) return;
        modules.add(id);
        this.getModuleInfo(id)?.importedIds.forEach(addTo(modules));
      };
      const findModules = (end: string) =>
        [...this.getModuleIds()].filter((id) => id.endsWith(end));
      findModules('/src/main.tsx').forEach(addTo(mainModules));
      findModules('/src/pages/account/entry-page.tsx').forEach(addTo(entryModules));
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter(({ type }) => type === 'chunk');
        const main = chunks.find(({ name }) => name === 'main');
        if (main?.type !== 'chunk') return [];
        const link = (file: string, attrs: HtmlTagDescriptor['attrs']): HtmlTagDescriptor => ({
          tag: 'link',
          attrs: { ...attrs, crossorigin: true, href: `/${file}` },
          injectTo: 'head',
        });
        const code = [main.fileName, ...main.imports].filter((file) => !html.includes(file));
        const stylesheets = [...(main.viteMetadata?.importedCss ?? [])];
        return [
          ...code.map((file) => link(file, { rel: 'modulepreload' })),
          ...stylesheets.map((file) => link(file, { rel: 'preload', as: 'style' })),
        ];
      },
    },
  };
}

/** Translation files that form a namespace of their own (`i18n/index.ts`). */
const ownNamespaces = ['entry', 'doorstep', 'help', 'agreements', 'membership', 'ask', 'places'];

export default defineConfig({
  plugins: [
    react(),
    towns(),
    preloadMain(),
    translatedDocument(),
    VitePWA({
      // A new version activates once no page uses the old one, so it interrupts no transfer.
      registerType: 'prompt',
      injectRegister: null,
      // The manifests are separate files: public/manifest.webmanifest and its translations.
      manifest: false,
      workbox: {
        // The JSON file is the bundled map.
        globPatterns: ['**/*.{html,js,css,wasm,svg,png,ogg,json,webmanifest}'],
        // Development tools, code that only phone apps load, and unused parts of SQLite's package.
        globIgnores: [
          '**/workbench-*',
          '**/phone-*',
          '**/screenshots/**',
          '**/web-*',
          '**/share-target.js',
          '**/push.js',
          // A browser reads the manifest of one language, when the app is installed.
          '**/manifest.*.webmanifest',
          '**/sqlite3-worker1-*',
          '**/sqlite3-opfs-async-proxy-*',
        ],
        maximumFileSizeToCacheInBytes: 4 * 1024 * 1024,
        // These receive files shared by other apps, and push messages, even while no page is open.
        importScripts: ['/share-target.js', '/push.js'],
        navigateFallback: '/index.html',
        // Screens are at / and below /pages; all other addresses belong to the server.
        navigateFallbackAllowlist: [/^\/$/, /^\/pages\//],
      },
    }),
  ],
  define: {
    __APP_VERSION__: JSON.stringify(version),
    __LICENSES__: JSON.stringify(readLicenses()),
  },
  worker: { format: 'es' },
  // The SQLite build expects its .wasm beside itself; pre-bundling would move it.
  optimizeDeps: { exclude: ['@sqlite.org/sqlite-wasm'] },
  build: {
    target: 'es2023',
    sourcemap: true,
    // Hides plugin timings at startup.
    rolldownOptions: {
      checks: { pluginTimings: false },
      output: {
        codeSplitting: {
          groups: [
            // A module and its imports go to the first group that matches. Modules used by boot.ts must not
            // wait for the rest.
            {
              name: 'boot',
              test: /vite\/preload-helper|\/(runtime\/next-task|ui\/start-failure)\.ts$/,
              priority: 4,
            },
            {
              // A chunk for each translation namespace (`i18n/index.ts`), in each language.
              name: (id) => {
                const [, language, file] = /\/i18n\/locales\/([^/]+)\/(\w+)\./.exec(id) ?? [];
                if (!language) return null;
                const ownNamespace = ownNamespaces.find((namespace) => namespace === file);
                return `words-${language}-${ownNamespace ?? 'signed-in'}`;
              },
              priority: 5,
            },
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 3 },
            // Dependencies of main.tsx that boot.ts loads in tasks of their own beforehand.
            { name: 'i18n', test: /node_modules\/(i18next|react-i18next)\//, priority: 3 },
            { name: 'router', test: /node_modules\/react-router\//, priority: 3 },
            { name: 'main', test: (id) => mainModules.has(id), priority: 2 },
            { name: 'entry', test: (id) => entryModules.has(id), priority: 1 },
            // Overlays are not needed when a screen opens, so they are kept out of the shared chunks.
            {
              name: 'popups',
              test: /node_modules\/(@base-ui|@floating-ui|use-sync-external-store)\//,
            },
            // Every file has a fixed cost, so code shared by screens is bundled into few files.
            { name: 'icons', test: /node_modules\/lucide-react\// },
            { name: 'engine', test: /\/packages\/(device|sync)\//, minShareCount: 2 },
            // The workbench, which uses everything, counts as one of the screens.
            { name: 'shared', minShareCount: 3 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': api, '/alien-user': api, '^/s/': api } },
});
