/** The version of the app. The build injects it from package.json. */
declare const __APP_VERSION__: string;

/** The third-party components of the app and the server. The build injects them. */
declare const __LICENCES__: readonly {
  readonly name: string;
  readonly version: string;
  /** An SPDX identifier, or the name that the authors use. */
  readonly licence: string;
}[];
