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
    /** Whether a summary may be in another language than the recording. */
    readonly translates: boolean;
  };
  /** Whether speakers are told apart. */
  readonly speakers: boolean;
  /** Where pictures of maps come from; null, or absent where an older version kept this, draws ours. */
  readonly mapTiles?: { readonly url: string; readonly attribution: string } | null;
  readonly virtualRecorderUrls: readonly string[];
  /** Where its operator can be reached, `https:` or `mailto:`; null where none is configured. */
  readonly supportUrl: string | null;
};
