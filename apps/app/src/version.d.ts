/** The app's version. The build injects it from package.json. */
declare const __APP_VERSION__: string;

/** The app's and the server's third-party components. The build injects them. */
declare const __LICENSES__: readonly {
  readonly name: string;
  readonly version: string;
  /** An SPDX identifier, or the name used by the authors. */
  readonly license: string;
}[];
