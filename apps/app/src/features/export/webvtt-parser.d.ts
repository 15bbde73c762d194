/** The parts of the library that the test of subtitles uses. It has no types of its own. */
declare module 'webvtt-parser' {
  export class WebVTTParser {
    /** @param entities characters by their escaped forms */
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
