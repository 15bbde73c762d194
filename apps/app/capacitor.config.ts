import type { CapacitorConfig } from '@capacitor/cli';

/** The configuration of the Android and iOS apps. docs/phones.md describes how to build them. */
export default {
  appId: 'org.linnet.app',
  appName: 'Linnet',
  // Created from `dist` by `npm run cap:sync`.
  webDir: 'dist-phone',
  server: {
    // A recorder on its own network serves plain HTTP, which a page loaded over HTTPS may not call. The app's own files
    // never travel over a network. network_security_config.xml lists the only address that may be reached over plain
    // HTTP.
    androidScheme: 'http',
  },
  android: {
    // The first version with light-dark(), the newest feature that the pages require.
    minWebViewVersion: 123,
  },
  plugins: {
    LocalNotifications: { smallIcon: 'ic_transfer' },
    SystemBars: { initialViewportFitValueHint: 'cover' },
  },
} satisfies CapacitorConfig;
