/** The app's version, injected by the build from package.json. */
declare const __APP_VERSION__: string;

/** Third-party components of the app and the server, injected by the build. */
declare const __LICENCES__: readonly {
  readonly name: string;
  readonly version: string;
  /** SPDX, or as the authors write it. */
  readonly licence: string;
}[];
