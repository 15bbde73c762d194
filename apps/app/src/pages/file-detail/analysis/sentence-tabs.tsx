import type { SummaryListName } from '@linnet/contract/structures';
import type { TabProps } from '../tab.ts';
import { AnalysisList } from './analysis-list.tsx';
import { PlayTime, SourceLink } from './source-link.tsx';

type PlainList = Extract<SummaryListName, 'knowledge_points' | 'needs' | 'questions'>;

/** Lists sentences with links to their sources. */
function Sentences({ name, tab }: { name: PlainList; tab: TabProps }) {
  return (
    <AnalysisList name={name} tab={tab}>
      {(items) => (
        <ol className="said" data-list={name}>
          {items.map(({ id, text, start_time, paragraph_id }) => (
            <li key={id} data-testid="understood-item">
              <PlayTime time={start_time} onPlay={tab.player.playFrom} />
              <p className="said-text" dir="auto">
                {text}
              </p>
              <SourceLink text={text} paragraph={paragraph_id} onJump={tab.jump} />
            </li>
          ))}
        </ol>
      )}
    </AnalysisList>
  );
}

/** Lists facts worth knowing. */
export function KnowledgeTab(tab: TabProps) {
  return <Sentences name="knowledge_points" tab={tab} />;
}

/** Lists needs and wishes. */
export function NeedsTab(tab: TabProps) {
  return <Sentences name="needs" tab={tab} />;
}

/** Lists questions. The analysis doesn't detect whether a question was answered. */
export function QuestionsTab(tab: TabProps) {
  return <Sentences name="questions" tab={tab} />;
}
