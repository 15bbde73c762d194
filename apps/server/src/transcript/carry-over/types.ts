/**
 * The types for carrying the user's changes to a transcript over to another transcript of the same audio, which may
 * have different paragraphs, words and speaker labels.
 */
import type { UnplacedChange } from '@linnet/contract';
import type { TranscriptWord } from '../paragraphs.ts';
import type { TimeRange } from './timeline.ts';

/** A paragraph of the transcript with the user's changes. */
export interface SourceParagraph extends TimeRange {
  readonly id: string;
  /** The text as it was before the user's changes. */
  readonly before: string;
  readonly content: string;
  readonly isHighlighted: boolean;
  readonly speaker: string | null;
  /** Whether the user assigned the speaker. */
  readonly isAssigned: boolean;
}

/** A paragraph of the transcript that receives the changes. */
export interface TargetParagraph extends TimeRange {
  readonly id: string;
  readonly content: string;
  readonly words: readonly TranscriptWord[];
  readonly speaker: string | null;
}

/** A new value for a target paragraph, and the IDs of the source paragraphs that it comes from. */
export interface CarriedValue<Value> {
  readonly paragraph: string;
  readonly value: Value;
  readonly sources: readonly string[];
}

export type UnplacedChangeContent = Omit<UnplacedChange, 'id'>;
