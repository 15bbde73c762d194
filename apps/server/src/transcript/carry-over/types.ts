/**
 * The types for carrying the owner's changes to a transcript over to another transcript of the same audio, which may
 * divide it into other paragraphs, recognize other words and number its speakers otherwise.
 */
import type { UnplacedChange } from '@linnet/contract';
import type { TranscriptWord } from '../paragraphs.ts';
import type { Stretch } from './timeline.ts';

/** A paragraph of the transcript with the changes. */
export interface SourceParagraph extends Stretch {
  readonly id: string;
  /** The text before the owner's changes. */
  readonly before: string;
  readonly content: string;
  readonly isHighlighted: boolean;
  readonly speaker: string | null;
  /** Whether the owner assigned the speaker. */
  readonly isAssigned: boolean;
}

/** A paragraph of the transcript that receives the changes. */
export interface TargetParagraph extends Stretch {
  readonly id: string;
  readonly content: string;
  readonly words: readonly TranscriptWord[];
  readonly speaker: string | null;
}

/** A new value for a paragraph, and the IDs of the paragraphs that it comes from. */
export interface Carried<Value> {
  readonly paragraph: string;
  readonly value: Value;
  readonly sources: readonly string[];
}

export type Unplaced = Omit<UnplacedChange, 'id'>;
