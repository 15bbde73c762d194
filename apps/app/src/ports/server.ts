import type { CallData } from '@linnet/contract';
import type { StructureId } from '@linnet/contract/structures';

export type ServerState =
  | { readonly status: 'unknown' }
  | { readonly status: 'reachable' | 'unreachable'; readonly info: ServerInfo | null };
export type ServerInfo = {
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
    /** Whether summaries can be in a language other than the recording's. */
    readonly translates: boolean;
  };
  /** Whether transcripts distinguish speakers. */
  readonly speakers: boolean;
  /**
   * The speech models that the server downloads automatically. Undefined if it downloads none, or doesn't report them.
   */
  readonly downloads?: readonly ModelDownload[];
  /**
   * The source of map tiles, or null to use the bundled map. Undefined in server info stored by an older app version.
   */
  readonly mapTiles?: { readonly url: string; readonly attribution: string } | null;
  /** Ids of the audio file kinds that the server decodes. Undefined if the server doesn't report them. */
  readonly audioKinds?: readonly string[];
  /** Whether the server sends email. Undefined if the server doesn't report it. */
  readonly sendsMail?: boolean;
  /** Whether the server can transcribe a range of paragraphs again. Undefined for older servers, which can't. */
  readonly transcribesRanges?: boolean;
  /** Whether the server accepts the edit `recording.dismissProposal`. Undefined for older servers, which don't. */
  readonly dismissesProposals?: boolean;
  /** Whether the server can merge transcripts. Undefined for older servers, which can't. */
  readonly mergesTranscripts?: boolean;
  /** Whether the server accepts the edit `recording.word`. Undefined for older servers, which don't. */
  readonly recordingWords?: boolean;
  readonly virtualRecorderUrls: readonly string[];
  /** A link for contacting the operator (`https:` or `mailto:`), or null if it isn't configured. */
  readonly supportUrl: string | null;
};

/** A speech model that the server downloads. */
export type ModelDownload = NonNullable<CallData<'site/config'>['engines']['downloads']>[number];
