import type { SummaryDocument } from '@linnet/contract';
import type { AudioVersion } from '@linnet/sync';
import type { ComponentType } from 'react';
import type { RecordingPlace } from '../../page-kit/paths.ts';
import type { RowState } from '../files/row-state.ts';
import type { OpenRecord } from './open-record.ts';
import type { Player } from './player/use-player.ts';

/** Props shared by all tabs of a recording's page. */
export type TabProps = {
  readonly record: OpenRecord;
  readonly state: RowState;
  /** The analysis; null if there is none in a version known to this app. */
  readonly document: SummaryDocument | null;
  readonly player: Player;
  /** Whether transcript and summary are read-only. */
  readonly fixed: boolean;
  readonly heard: AudioVersion;
  onHear(version: AudioVersion): void;
  /** Whether the search bar is open. */
  readonly finding: boolean;
  onFind(on: boolean): void;
  /** Sets a marker at the current position. */
  onMark(): void;
  /** The recording's address at a given place. */
  pathOf(place: RecordingPlace): string;
  /** Shows a paragraph in the transcript. */
  jump(paragraph: string): void;
};

/** A tab of a recording's page. */
export type Tab<Name extends string> = {
  readonly name: Name;
  readonly Panel: ComponentType<TabProps>;
  /** Number of items; null if not counted. Empty tabs are moved to the end. */
  count(record: OpenRecord, document: SummaryDocument | null): number | null;
};
