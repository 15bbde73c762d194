import type { StructureId } from '@linnet/contract/structures';

export type ServerState =
  | { readonly status: 'unknown' }
  | { readonly status: 'reachable' | 'unreachable'; readonly facts: ServerFacts | null };
export type ServerFacts = {
  readonly billing: 'sandbox' | 'stripe' | 'off';
  readonly languages: readonly {
    readonly language: string;
    readonly engine: string;
    readonly quality: 'draft' | 'good';
  }[];
  readonly analysis: {
    readonly engine: string;
    readonly kind: 'extractive' | 'generative';
    readonly structures: readonly StructureId[];
    /** Whether summaries can be written in a language other than that of the recording. */
    readonly translates: boolean;
  };
  /** Whether transcripts distinguish speakers. */
  readonly speakers: boolean;
  /**
   * The source of map tiles. If it is null, the bundled map is used. Facts stored by an older version of the app do not
   * have this property.
   */
  readonly mapTiles?: { readonly url: string; readonly attribution: string } | null;
  /** The kinds of audio files that the server decodes, by id. Absent if the server does not report them. */
  readonly audioKinds?: readonly string[];
  /** Whether the server sends mail. Absent if it does not report it. */
  readonly sendsMail?: boolean;
  readonly virtualRecorderUrls: readonly string[];
  /** A link to contact the operator (`https:` or `mailto:`); null if none is configured. */
  readonly supportUrl: string | null;
};
