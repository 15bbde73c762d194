import type { SummaryDocument } from '@linnet/contract';
import type { SoundVersion } from '@linnet/sync';
import type { ComponentType } from 'react';
import type { RecordingPlace } from '../../page-kit/paths.ts';
import type { RowState } from '../files/row-state.ts';
import type { OpenRecord } from './open-record.ts';
import type { Player } from './use-player.ts';

/** What every part of a recording's page has. */
export type TabProps = {
  readonly record: OpenRecord;
  readonly state: RowState;
  /** What was understood of it; null while there is nothing that this version reads. */
  readonly document: SummaryDocument | null;
  readonly player: Player;
  /** Whether transcript and summary stay as they are: nothing here could make others. */
  readonly fixed: boolean;
  readonly heard: SoundVersion;
  onHear(version: SoundVersion): void;
  /** Whether its owner is looking for something in the transcription. */
  readonly finding: boolean;
  onFind(on: boolean): void;
  /** Sets a marker where the player is. */
  onMark(): void;
  /** The recording's address with a place on it. */
  pathOf(place: RecordingPlace): string;
  /** Shows a paragraph in the transcription. */
  jump(paragraph: string): void;
};

/** One part of a recording's page. */
export type Tab<Name extends string> = {
  readonly name: Name;
  readonly Panel: ComponentType<TabProps>;
  /** How many things it holds; null where nothing is counted. One with nothing in it comes after the others. */
  count(record: OpenRecord, document: SummaryDocument | null): number | null;
};
