/** Types for the parts of the library that the subtitle test uses; the library has none. */
declare module 'webvtt-parser' {
  export class WebVTTParser {
    /** @param entities maps escaped forms to characters */
    constructor(entities: Readonly<Record<string, string>>);
    parse(text: string): {
      readonly cues: readonly {
        /** Seconds. */
        readonly startTime: number;
        readonly endTime: number;
        readonly text: string;
        readonly tree: { readonly children: readonly VttNode[] };
      }[];
      readonly errors: readonly { readonly message: string; readonly line: number }[];
    };
  }
  export type VttNode =
    | { readonly type: 'text'; readonly value: string }
    | { readonly type: 'object'; readonly children: readonly VttNode[] };
}
