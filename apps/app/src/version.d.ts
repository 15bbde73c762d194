/** The app's version, put in by the build from package.json. */
declare const __APP_VERSION__: string;

/** What the app and the server are made of besides Linnet's own code, put in by the build. */
declare const __LICENCES__: readonly {
  readonly name: string;
  readonly version: string;
  /** SPDX, or as its makers write it. */
  readonly licence: string;
}[];
