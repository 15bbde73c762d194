import { lazyPage } from '../../ui/lazy-page.ts';
import type { Tab, TabProps } from './tab.ts';
import { TranscriptionTab } from './transcript/transcription-tab.tsx';

const tab = <Name extends string>(each: Tab<Name>) => each;

/** All tabs on the recording page. The name is also used in the URL and as a translation key (`detail.…`). */
export const tabs = [
  tab({
    name: 'transcription',
    Panel: TranscriptionTab,
    count: ({ content }) => content.length || null,
  }),
  tab({
    name: 'summary',
    Panel: lazyPage<TabProps>(async () => ({
      default: (await import('./summary/summary-tab.tsx')).SummaryTab,
    })),
    count: () => null,
  }),
  tab({
    name: 'mindMap',
    Panel: lazyPage<TabProps>(async () => ({
      default: (await import('./mind-map/mind-map-tab.tsx')).MindMapTab,
    })),
    count: ({ mind_map, xmind_json }) => ((mind_map ?? xmind_json) ? null : 0),
  }),
  tab({
    name: 'audio',
    Panel: lazyPage<TabProps>(async () => ({
      default: (await import('./audio/audio-tab.tsx')).AudioTab,
    })),
    count: () => null,
  }),
  tab({
    name: 'timeline',
    Panel: lazyPage<TabProps>(async () => ({
      default: (await import('./analysis/timeline-tab.tsx')).TimelineTab,
    })),
    count: (_, document) => document?.timeline.length ?? 0,
  }),
  tab({
    name: 'knowledge',
    Panel: lazyPage<TabProps>(async () => ({
      default: (await import('./analysis/sentence-tabs.tsx')).KnowledgeTab,
    })),
    count: (_, document) => document?.knowledge_points.length ?? 0,
  }),
  tab({
    name: 'todos',
    Panel: lazyPage<TabProps>(async () => ({
      default: (await import('./analysis/todos-tab.tsx')).TodosTab,
    })),
    count: (_, document) => document?.todos.length ?? 0,
  }),
  tab({
    name: 'needs',
    Panel: lazyPage<TabProps>(async () => ({
      default: (await import('./analysis/sentence-tabs.tsx')).NeedsTab,
    })),
    count: (_, document) => document?.needs.length ?? 0,
  }),
  tab({
    name: 'questions',
    Panel: lazyPage<TabProps>(async () => ({
      default: (await import('./analysis/sentence-tabs.tsx')).QuestionsTab,
    })),
    count: (_, document) => document?.questions.length ?? 0,
  }),
  tab({
    name: 'finance',
    Panel: lazyPage<TabProps>(async () => ({
      default: (await import('./analysis/finance-tab.tsx')).FinanceTab,
    })),
    count: (_, document) => document?.finance.length ?? 0,
  }),
  tab({
    name: 'topics',
    Panel: lazyPage<TabProps>(async () => ({
      default: (await import('./analysis/topics-tab.tsx')).TopicsTab,
    })),
    count: (_, document) => document?.topics.length ?? 0,
  }),
  tab({
    name: 'markers',
    Panel: lazyPage<TabProps>(async () => ({
      default: (await import('./markers/markers-tab.tsx')).MarkersTab,
    })),
    count: ({ markers }) => markers.length,
  }),
];
export type TabName = (typeof tabs)[number]['name'];

export const firstTab: TabName = 'transcription';

export function isTabName(name: string | null): name is TabName {
  return tabs.some((each) => each.name === name);
}
