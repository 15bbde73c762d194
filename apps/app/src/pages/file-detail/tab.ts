import type { SummaryDocument } from '@linnet/contract';
import type { AudioVersion } from '@linnet/sync';
import type { ComponentType } from 'react';
import type { RecordingPlace } from '../../page-kit/paths.ts';
import type { RowState } from '../files/row-state.ts';
import type { OpenRecord } from './open-record.ts';
import type { Player } from './player/use-player.ts';

/** Props shared by all tabs of the recording page. */
export type TabProps = {
  readonly record: OpenRecord;
  readonly state: RowState;
  /** The analysis; null if the recording has none or this app doesn't support its version. */
  readonly document: SummaryDocument | null;
  readonly player: Player;
  /** Whether the transcript and the summary are read-only. */
  readonly readOnly: boolean;
  readonly audioVersion: AudioVersion;
  onSelectVersion(version: AudioVersion): void;
  /** Whether the search bar is open. */
  readonly isSearching: boolean;
  onFind(isOn: boolean): void;
  /** Adds a marker at the current position. */
  onMark(): void;
  /** Returns the recording's path with a tab or a paragraph. */
  getPath(place: RecordingPlace): string;
  /** Navigates to a paragraph in the transcript. */
  jump(paragraph: string): void;
};

/** A tab of the recording page. */
export type Tab<Name extends string> = {
  readonly name: Name;
  readonly Panel: ComponentType<TabProps>;
  /** Returns the number of items, or null for a tab that doesn't count them. Tabs without items move to the end. */
  count(record: OpenRecord, document: SummaryDocument | null): number | null;
};
