import type { CodeName } from '@linnet/contract/codes';
import type { AnalysisFailureCode } from '../../providers/analysis/port.ts';

/** The reasons why a summary may fail, as contract codes. */
export type SummaryFailure = Extract<
  CodeName,
  'summaryFailed' | 'summaryQuota' | 'summaryMisconfigured'
>;

/** The outcome of a summary request, for metrics. */
export type SummaryOutcome = 'summarized' | SummaryFailure;

/** Maps analyzer failures to summary failures. */
export const summaryFailures: Readonly<Record<AnalysisFailureCode, SummaryFailure>> = {
  'quota-exhausted': 'summaryQuota',
  'access-refused': 'summaryMisconfigured',
  'service-unavailable': 'summaryFailed',
  'answer-unusable': 'summaryFailed',
  'engine-missing': 'summaryMisconfigured',
  'engine-failed': 'summaryFailed',
  aborted: 'summaryFailed',
};
