import type { CapacitorConfig } from '@capacitor/cli';

/** The phones' apps around the pages; docs/phones.md says how they are built. */
export default {
  appId: 'org.linnet.app',
  appName: 'Linnet',
  // Made of `dist` by `npm run cap:sync`.
  webDir: 'dist-phone',
  server: {
    // A recorder on its own network serves plain HTTP, which a page that came over HTTPS may not call. Nothing
    // of the app's own goes over a network; what else may is said in network_security_config.xml.
    androidScheme: 'http',
  },
  android: {
    // The first with light-dark(), the newest of what the pages stand on.
    minWebViewVersion: 123,
  },
  plugins: {
    LocalNotifications: { smallIcon: 'ic_transfer' },
    SystemBars: { initialViewportFitValueHint: 'cover' },
  },
} satisfies CapacitorConfig;
