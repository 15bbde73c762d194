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
    /** Whether summaries in another language than the recording's are available. */
    readonly translates: boolean;
  };
  /** Whether speakers are distinguished. */
  readonly speakers: boolean;
  /** The map tiles; null, or absent in facts stored by an older version, for the bundled map. */
  readonly mapTiles?: { readonly url: string; readonly attribution: string } | null;
  readonly virtualRecorderUrls: readonly string[];
  /** The operator's contact, `https:` or `mailto:`; null if not configured. */
  readonly supportUrl: string | null;
};
