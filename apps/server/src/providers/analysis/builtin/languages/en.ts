import { isEnglishQuestion } from '../../../../transcript/english.ts';
import { alternation, cue, enumerateWords, type LanguageData, NAME } from './data.ts';

const prefix =
  '(?:(?:and|so|then|but|also|okay|ok|well|right|yes|yeah|no|now|first|next|finally|great|good|fine|sure|oh|alright|anyway|tomorrow|today|tonight)[, ]+)*';
/** Start of a clause, where a verb is a request or promise. */
const clause = String.raw`(?:^${prefix}|[,;:–—-] ?${prefix}|\b(?:and|so|but|then|because|think|guess|suppose|that|says?|said) )`;
/** Verbs for requests and promises. */
const actionVerb = alternation(
  `
  add|adjust|answer|arrange|ask|assign|attach|book|bring|build|buy|calculate|call|cancel|change|check|choose|circulate|
  clean|clear|collect|compare|complete|confirm|contact|copy|correct|count|create|deal|deliver|design|dig|discuss|divide|
  do|double-check|download|draft|draw|drive|drop|email|e-mail|enter|explain|fetch|file|fill|find|finish|fix|follow|forward|
  get|give|hand|hang|have|hire|install|invite|investigate|invoice|keep|label|leave|list|look|lock|mail|make|mark|measure|
  meet|message|move|note|notify|offer|open|order|organi[sz]e|pack|paint|pass|pay|phone|pick|plan|plant|post|practi[sc]e|
  prepare|present|print|propose|provide|publish|pull|put|read|record|register|remind|remove|renew|rent|repair|replace|
  reply|report|research|reserve|return|review|rewrite|ring|run|save|scan|schedule|search|see|sell|send|set|share|show|
  sign|sort|speak|start|submit|switch|take|talk|tell|test|text|tidy|try|turn|update|upload|visit|wash|water|work|write|
  accept|address|allocate|alert|apply|approach|approve|archive|arrive|assemble|attach|attend|back|block|borrow|brief|budget|
  carry|chase|circle|clarify|close|code|combine|compile|consult|contribute|convert|cook|coordinate|cost|cover|cut|decide|
  decorate|define|delay|delegate|delete|demo|deploy|describe|determine|develop|discard|distribute|document|donate|edit|
  empty|ensure|escalate|estimate|evaluate|examine|exchange|export|extend|feed|fetch|figure|finali[sz]e|flag|format|freeze|
  gather|generate|go|grab|handle|haul|head|host|identify|implement|import|improve|include|inform|inspect|insert|insure|
  interview|introduce|invest|isolate|join|kick|launch|lead|learn|lend|let|liaise|lift|limit|link|listen|load|log|lower|
  maintain|manage|map|merge|mention|mow|negotiate|nudge|obtain|outline|oversee|park|patch|pause|photograph|ping|place|
  polish|pop|postpone|press|price|process|procure|produce|program|prove|purchase|push|query|quote|raise|reach|rearrange|
  rebook|recalculate|recheck|reclaim|recommend|reconcile|recruit|redo|redesign|reduce|refer|refill|refund|rehearse|release|
  relocate|reopen|repaint|reschedule|resend|reset|resolve|restart|restock|restore|retest|revise|rinse|roll|rotate|sand|
  secure|settle|ship|shift|shorten|sketch|source|spend|split|spray|spread|stack|stand|stay|stick|stock|store|study|
  suggest|summari[sz]e|supervise|supply|support|survey|swap|sweep|tackle|tag|tape|taste|teach|throw|tighten|track|train|
  transfer|translate|transport|treat|trim|type|unlock|unpack|unplug|upgrade|use|verify|walk|warn|wear|weigh|wipe|wrap
`.replace(/\s+/gu, ''),
);
/** Start of an object. If a verb that requires an object has none, it could be a noun ("plan", "call"). */
const object = String.raw`(?:me|us|him|her|them|it|the|a|an|my|your|our|his|their|that|this|those|these|all|some|any|every\p{L}*|each|with|to|at|on|up|out|in|off|back|down|over|around|through|into|for|by|one|two|three|both|${NAME})`;
/** Verbs that aren't promises after "will" or "going to": states, speech and feelings. */
const nonCommittalVerb =
  '(?:be|see(?! (?:if|whether|about)\b)|say|admit|never|not|need|miss|bet|think|know|love|hope|agree|guess|mean|understand|like|want|wait|feel|believe|lose|regret|remember|die|cry|happen|cost|rain|snow|fit|suffice|hear|imagine|figure|struggle|end up|ever|always|only)';
/** Verbs for actions within the conversation itself. */
const conversationalVerb =
  '(?:start with|hand over|hand you over|begin|begin with|start by|move on|come back|come to|get to|get back to that|explain|tell you|tell us|tell me|talk about|walk us|walk you|go first|go over|stop|stop here|repeat|remind (?:you|me|us) (?:what|how|why|where|when|who)|pass|hold|take that|leave it|leave that|say that again|speak up|hang on)';
const stative = alternation(
  'be have see say admit think know like love hope agree guess mean understand',
);
/** Group plans, which are not to-dos. */
const plan = String.raw`(?<!\b(?:before|when|after|once|until|if|as|because) )\b(?:we'll|we will|we are|we're|we) (?:not |all |just )?(?:keep|keeping|drop|dropping|cancel|cancelling|move (?!on)|moving|postpone|split|start (?!with|by)|begin (?!with|by)|open|close|meet (?:on|at|every|here|there|again)|hold|do without|skip|raise|lower|renew|renewing)\b`;
/** Words that introduce a conclusion. */
const conclusion =
  '(?:(?:so|then|okay|ok|right|fine|good|all right|alright|well|great|agreed)[, ]+)+';

export const en: LanguageData = {
  todos: {
    requests: [
      cue`\b(?:can|could|would|will) (?:you|someone|somebody|anyone|one of you|${NAME})(?: two| both| all| guys)?(?: please| also| maybe| perhaps| just| kindly| possibly| quickly| then)* (?!${nonCommittalVerb}\b|${conversationalVerb}\b)${actionVerb}\b`,
      cue`\bi (?:need|want) you to ${actionVerb}\b`,
      cue`^${prefix}${actionVerb} .+,? (?:would|will|could|can) you\b`,
      cue`\b(?:if you (?:could|would|can)|(?:grateful|helpful|great|good) if (?:you|someone|${NAME}) (?:could|would)|(?:appreciate|love) it if you (?:could|would)?|hoping (?:that )?you (?:could|can|would|might)|any chance (?:that )?you (?:could|can)|(?:rely|relying|count|counting) on you to|up to you to|over to you to|(?:possible|okay|all right) for you to|why don't you|i'd (?:ask|like|need|want) (?:you|${NAME}) to|i (?:need|want|expect) (?:${NAME}) to) (?:please |just |maybe |also |quickly |kindly )*(?!${nonCommittalVerb}\b)\p{L}+`,
      cue`\b(?:can|could|would|will) (?:you|someone|somebody|anyone|one of you|${NAME})(?: two| both| all| guys)?(?: please| also| maybe| just| quickly| then)* (?:be able to )?(?!${nonCommittalVerb}\b|${conversationalVerb}\b|(?:hear|see|tell|remember|understand|guess|afford|even|still|really|actually|be|have|explain|describe|name|spell|recall|manage)\b)\p{L}{3,} [^?]+\?`,
    ],
    include: [
      cue`\b(?!(?:It|That|This|There|Nobody|What|Who|Which|They|He|She)\b)${NAME}(?:'ll|'s going to| will| is going to| has agreed to| offered to| promised to| agreed to) (?:also |then |probably )?${actionVerb}\b`,
      cue`\bmake sure (?:that |to |we |you |i |the )`,
      cue`\b(?:i|we|you|he|she|they|someone|somebody|(?!it |that |this |there |nobody |what |who |which |nobody |people )${NAME}) (?:also |still |really |just )?(?:need|needs|have|has) to (?!${stative}\b)\p{L}+`,
      cue`\b(?:i've|we've|you've|i have|we have|you have) (?:still )?got to (?!${stative}\b)\p{L}+`,
      cue`\b(?:i|we|you|someone|somebody|one of us|one of you|everyone|everybody) (?:must|should|ought to) (?:also |still |just |probably )?(?!${stative}\b)${actionVerb}\b`,
      cue`\b(?:i|we|you|he|she|they|someone|somebody)(?:'d| had)? better (?!be\b|not be\b)\p{L}+\b`,
      cue`\b(?:i|we|you)(?:'ll| will) (?:still |also )?(?:have|need|want) to (?!${stative}\b)\p{L}+`,
      cue`${clause}(?:(?:i|we|you|(?!it |that |this |there |nobody |what |who |which |they |he |she )${NAME}) (?:will|shall|am going to|are going to|is going to)|(?:i|we|you)'ll|(?:i'm|we're|you're) going to|i can|let me|i promise to) (?:also |then |just |definitely |personally )*(?!(?:leave|keep|take|see|have|get|give|do) (?:it|that|you|a look|to)(?![\p{L}]))${actionVerb}\b`,
      cue`\b(?:please |do not |don't |must not |mustn't )(?:remember|forget) to \p{L}+`,
      cue`^${prefix}(?:${NAME}, )?remember to \p{L}+`,
      cue`, so (?:please |just )?${actionVerb} ${object}\b`,
      cue`\b(?:needs?|has|have) to (?:go out|go off|go in|go up|leave|arrive|reach|be (?:in|out|there|ready|done|sent|up)|get (?:to|in|out|done))\b`,
      cue`\bplease (?:also |just |every\p{L}+ |all of you |some\p{L}+ )?${actionVerb}\b`,
      cue`^${prefix}(?:do |just |please )?${actionVerb} ${object}\b`,
      cue`^${prefix}(?:${NAME}), (?:please |just |also |do )?(?!(?:sort|kind) of)${actionVerb}\b`,
      cue`\b${actionVerb} [^.?!]+, please\b`,
      cue`^${prefix}let's ${actionVerb}\b`,
      cue`\b(?:i|we)(?:'ll| will| shall|'m going to| am going to|'re going to| are going to|'m gonna|'re gonna) (?:also |then |just |definitely |personally |still |first |gladly |happily |both |all |probably |quickly |at least )*(?!${nonCommittalVerb}\b|${conversationalVerb}\b|(?:do|leave|keep|take|have|give|get) (?:it|that|this|you|there|to)(?: at that| then| as it is| an?\b)?(?=[.,!? ]))\p{L}{2,}`,
      cue`\b(?:needs?|has|have|must|should|ought) (?:to )?(?:be|get) (?!able|honest|fair|careful|more|less|a\b|the\b|an\b|in\b|used\b|something|somewhere)\p{L}{2,}(?:ed|en|wn|nt|ght|lt|ut|de|id|ld|ne)\b`,
      cue`\b(?:someone|somebody|one of (?:us|you)|you two|you both|both of you|the \p{L}+|our \p{L}+|my \p{L}+) (?:should|must|needs to|has to|have to|will have to|will need to) (?:please |also |still )?${actionVerb}\b`,
    ],
    exclude: [
      cue`\bgive (?:it|him|her|them|me) (?:some )?time\b|\bput yourself in\b`,
      // "we don't need to", "I should have": not a to-do.
      cue`\b(?:not|never|n't|don't|doesn't|didn't|won't|no longer) (?:need|have|has|got) to\b`,
      cue`\b(?:should|must|could|would)(?:n't)? have\b`,
      cue`\b(?:needn't|no need to|wouldn't have to)\b`,
      cue`\b(?:need|have) to (?:say|admit)\b`,
      cue`\bif (?!you could )(?:i|we|you|he|she|they|only|it) (?:ever |only |just )?(?:were|was|had|won|could|did|sold|\p{L}{3,}ed)\b`,
      cue`\bi(?:'d| would) (?:love|have)\b|\bsome ?day\b`,
      cue`\b(?:let me (?:see|think|know|show|tell|explain|say|ask(?= (?:you|this|one|something|everyone|a)\b|[.,!]))|let's see|see you|take care(?! of)|have a (?:good|nice|great|lovely)|thank)\b`,
      // Quoted speech.
      cue`\b(?:goes|says|said|replies|replied|(?:is|was) like)[,:] `,
      // Permissions.
      cue`\byou (?:can|could|may) [^?]*\bif you (?:prefer|like|want|wish)\b`,
      cue`^${prefix}tell me about it\b|\bw[io]n the lottery\b`,
      // Agreement that names no task.
      cue`^(?:(?:yes|yeah|sure|okay|ok|no problem|fine|right|of course|absolutely)[,.]? )?(?:i'll|i will|i can|i'm) (?:do|take care of|handle|see to|sort|on) ?(?:it|that|this)?(?: then)?[.!]?$`,
      // Questions about an ability.
      cue`\b(?:can|could) you (?:still |even |really |actually )?(?:park|see|live|believe|imagine|eat|sleep|walk|smell|hear|afford)\b[^.]*\?`,
    ],
    descriptions: [
      cue`\b(?:always|usually|normally|typically|generally|as a rule|tends? to|whenever|nowadays|these days|(?:every|each) (?:single )?(?:time|spring|summer|autumn|fall|winter|year|month|week|day|morning|afternoon|evening|night|\p{L}+day)|(?:once|twice|three times) an? (?:day|week|month|year))\b`,
      // Reports: what someone else said, wants or does.
      cue`\b(?!(?:I|We|You|And|So|But)\b)(?:he|she|they|people|someone|somebody|everybody|(?:the|my|our|their) \p{L}+(?: \p{L}+)?|${NAME}) (?:just |also |already |once |actually )?(?:said|told|says|tells|asked|insisted|claimed|claims|thought|thinks|believed|reckons|wanted|wants|demanded|warned|heard|suggested)\b(?!.*\b(?:so|and|then) (?:i|we|you)(?:'ll| will| need| have| should)\b)`,
      cue`\b(?:used to|was going to|were going to|was supposed to|were supposed to|was meant to|would have to|would need to|had to|might have to|may have to|could have|in theory|wish|as if|supposedly)\b`,
      cue`^(?!.*\bif you (?:could|can|would)\b)(?:.*, |${prefix})?(?:maybe|perhaps|one day|some ?day|at some point|sooner or later) (?:we|i|they|you|he|she)\b`,
      cue`\b(?:at some point|one of these days|some ?day|one day)[.!]?$`,
      cue`\b(?:people|everyone|everybody|customers|visitors|students|kids|children|drivers|members|they) (?:now |all |still )?(?:have|need) to\b`,
      cue`\byou (?:have|need) to \p{L}+ .*\b(?:twice|that's how|that's the|to get it to|or it|or else it|otherwise it|if you want|every|for it to)\b`,
      cue`\b(?:i|we|you|they|he|she|it)(?:'ll| will) (?:never|probably|soon|always|be|get used|have fun|survive|manage|live|love|enjoy|miss|see(?! (?:if|whether|about)\b)|believe|forget|regret|lose|need a|end up|run out|get there|get through|find out|freeze|starve|die|laugh|sleep|wait|grow|come true|take (?:a|at least|about|longer|forever))\b(?! (?:to|of) (?:send|call)\b)`,
      cue`\b(?:i suppose|i guess|i bet|i imagine|i expect)[.!]?$|\b(?:has|have) to be (?:said|told|admitted|honest)\b`,
      cue`\b(?:will|would|'ll) (?:do|be done|be fine|be okay)[.!]?$`,
      // General rules, and opinions about what others should do.
      cue`\b(?:when|whenever|if) you (?!could|can|would)[^,]+, you (?:have|need|should|must)\b`,
      cue`\b(?:think|guess|suppose|reckon|believe|hope) (?:that )?(?:they|he|she|it|people|the \p{L}+) (?:should|must|need|have|ought)\b`,
      cue`\b(?:i can|i'm happy to|i'd be happy to|i could) [^,.?]+, but\b`,
      // Group plans, which are not to-dos.
      cue`${plan}`,
    ],
    immediate: [
      cue`\b(?:hang on|hold on|one sec(?:ond)?|just a (?:sec(?:ond)?|moment|minute)|give me a (?:sec(?:ond)?|moment|minute)|bear with me|wait a|while i'm (?:talking|speaking|at it)|here you go|there you go)\b`,
      cue`\b(?:open|close|shut|crack) (?:(?:a|the|that|this|another) )?(?:\p{L}+ )?(?:windows?|doors?|blinds?|curtains?)\b(?!.*\b(?:before|after|when|once|on your way)\b)`,
      cue`\b(?:share|show|see) (?:you )?(?:my|the|this|that|your) (?:screen|slides?)\b|\b(?:pull|bring|put) (?:up|it up|that up|them up|this up)\b|\b(?:zoom|scroll|mute|unmute|rewind)\b|\bon (?:speaker|mute|the (?:screen|board|whiteboard|projector))\b`,
      cue`\b(?:grab|get|fetch|take|find|pour|make|have|pass|hand|bring)(?: (?:me|us|you|myself|everyone|him|her|over))?(?: (?:a|an|the|my|your|another|some|that|this|more))?(?: (?!extra|spare|more|enough|to )\p{L}+)? (?:chairs?|seats?|coffee|tea|water|glass(?:es)?|pens?|pencil|marker|napkins?|tissues?|mugs?|cup|jacket|coat|sip|biscuits?|cookies?|salt|sugar|milk|remote)\b(?!.*\b(?:before|after|for the|to the)\b)`,
      cue`\b(?:read|say|repeat|spell|sum|summari[sz]e|go through|run through|walk (?:you|us|everyone)|talk (?:you|us) through|take you)(?: (?:it|that|this|them))?(?: (?:out|back|again|to you|for you|for everyone|aloud|up|quickly|through))\b`,
      cue`\b(?:turn|switch|put) (?:(?:on|off|up|down) (?:the|that)|(?:the|that|this|it|my|your) (?:\p{L}+ )?(?:on|off|up|down))\b(?!.*\b(?:before|after|when|once)\b)`,
      cue`\b(?:sit|sit down|speak up|louder|come in|come on in|help yoursel(?:f|ves)|scoot|move over|look at (?:this|that|the (?:screen|slide|picture|photo|chart|drawing|map))|pass (?:it|them|that|those|the \p{L}+) (?:around|round|over|along)|stand up|raise your hands?|hold (?:this|that|it))\b`,
      cue`\b(?:let's|let us|we'll|we can|i'll|i will|let me|we should|shall we|we need to|we have to|i want to|i'd like to|can we|could we|i'm going to|we're going to) (?:just |quickly |now |maybe |first |also |all |please )*(?:start|begin|kick off|wrap|stop|pause|break|take (?:a|five|ten)|move on|move to|go on|go back|go to the next|go around|go one by one|jump|skip|carry on|keep going|keep (?:it|this) (?:short|brief)|continue|get (?:to|into|back|started|going)|come (?:to|back)|turn to|return to|look at|talk|discuss|think|focus|agree|decide|figure out|leave|see|hear|be|not|get carried|call it|finish|close|dive|switch to|say|answer|tell|explain|remind you|point out|interrupt|admit|hope|assume|park|circle|recap|speak)\b`,
      // Prompts to speak, and instructions typical of exams, lessons and calls.
      cue`\b(?:tell|show|explain|describe|repeat|introduce|spell)(?: (?:it|that|this))?(?: to)? (?:me|us|yourself|yourselves)\b|\b(?:can|could|would|will) you (?:please |just |maybe |quickly )*(?:explain|repeat|describe|say|spell|elaborate|clarify|introduce)\b`,
      cue`\b(?:open|close|press|push|click|tap|hold|bend|lift|stick|take|breathe|turn to|look at|try to|get) (?:[^,.]{0,30} )?(?:mouth|tongue|breath|knees?|arms?|page|button|screen|line|notebooks?)\b`,
      cue`\bright now\b|\bpoint by point\b|\b(?:i'll|i will|i'm going to|let me) (?:just )?(?:look (?:it|that) up|put you (?:through|on)|let you|give you that|start (?:again|over)|show you|ask you|write (?:that|it|this) down|note that)\b`,
      // Requests to the audience, and prohibitions.
      cue`\b(?:applause|up to speed|give me a break|raise your)\b|(?:^|[,;] )don't (?!forget|let)\p{L}+`,
    ],
    unassigned: [
      // Duties of people and institutions outside the conversation.
      cue`^${prefix}(?:the|their|his|her|its) (?!(?:two|rest|whole|others?|team|group|both|three)\b)(?:\p{L}+ ){1,3}?(?:has|have|needs?|had|is supposed|are supposed) to\b|^${prefix}(?:the|their|his|her|its) (?:\p{L}+ ){1,3}?(?:must|should|will)\b`,
      cue`\b(?:it|(?:the|this|that|these|those) (?:\p{L}+ )?\p{L}+) (?:\p{L}+ )?(?:should|ought)\b|\bwe should\b.*\bsome ?time\b|\bwe should have\b`,
    ],
    withdrawn: [
      cue`^(?:(?:no|nah|oh|actually|sorry|wait|thanks|thank you|well|hmm|ah|okay|ok|please|honestly|${NAME})[,.]? )*(?:(?:no need|never mind|nevermind|not necessary|(?:just |i'm |only )?(?:kidding|joking)|scratch that|forget (?:it|that|i said that)|leave (?:it|that)|let's not|better not|please don't|don't bother|no,? don't|don't|no thanks|that won't be necessary|you don't (?:have|need) to|there's no need|no,? (?:that's|it's) (?:okay|fine|all right|alright))(?=[.,!;]|$)|i(?:'d| would) rather (?:you didn't|not)\b)`,
      // Already done, declined, or a joke.
      cue`^(?:(?:no|nah|oh|actually|wait|thanks|thank you|well|ah|but|sorry|${NAME})[,.]? )*(?:(?:i|we|he|she|they|${NAME})(?:'ve|'s| have| has)? already (?!said)|i did (?:that|it)|(?:it's|that's|they're) (?:already|all) (?:done|taken care of|sorted|booked|paid)|already done|ha,? ha|haha|very funny|don't you dare|no way|not on your life|over my dead body|dream on)\b`,
    ],
    who: [
      cue`^${prefix}(?:hi |hey )?(?!Yes|No|Okay|Ok|Well|Right|Sure|Great|Good|Thanks|Sorry|Morning|Please|Fine|And|So|But|Then|Also|First|Next|Now|Today|Tomorrow|Tonight|Oh)(?<who>${NAME}), `,
      cue`^${prefix}(?:can|could|would|will) (?!You|I|We|It|They|He|She)(?<who>${NAME}) `,
      cue`, (?<who>${NAME})[?.!]?$`,
      cue`\b(?!Who|What|It|That|This|There|I|We|You|They|He|She|Nobody)(?<who>${NAME}|(?:the|our|my) \p{L}+) (?:will|needs to|has to|is going to|should|must)\b`,
      cue`\b(?:need|want|like|ask) (?<who>${NAME}) to\b`,
    ],
    when: [
      cue`\b(?<when>(?:before|after|once|as soon as|until|by the time|the moment|when) (?!all\b)[^,.;?!]+?)(?:,|[.;?!]|$| and )`,
      cue`\b(?<when>first thing|straight away|right away|immediately|later|asap|this time)\b`,
    ],
  },
  questions: {
    marked: true,
    interrogatives: cue`\b(?:what|when|where|which|whose|who|why|how (?:much|many|long|far|soon|often|big|do|does|can|should))\b`,
    answers: cue`^(?:(?:well|oh|so|actually|okay|ok|honestly|${NAME}),? )*(?:no|nope|yes|yeah|yep|good|great|exactly|never mind|of course|nobody|no one|nothing|me neither|i don't think so|i doubt it|i think (?:so|not)|probably (?:not|so)|not really|it did|i did|he did|she did|they did)\b`,
    order: isEnglishQuestion,
    include: [
      cue`\b(?:i was wondering|i'm wondering|i wonder|i(?:'d| would) like to know|i wanted to (?:ask|know)|i(?:'d| would) like to ask) (?:if|whether|what|when|where|who|how|why|which)\b`,
    ],
    exclude: [
      cue`^(?:(?:and|so|hi|hello|hey|morning|well|okay|good \p{L}+)[, ]+|${NAME}[,.] )*(?:how are you|how are things|how have you been|how's it going|how's every(?:body|one)(?: doing)?|how was (?:your|the) (?:trip|journey|weekend|flight|drive)|how do you do|how can i help|how may i help|what can i do for you|can you hear|can i help|are you there|you know|did you have a good)\b`,
      cue`\bhow are you (?:keeping|doing|all|today)\b|\b(?:is|are) (?:everyone|everybody|you) (?:well|alright|all right|comfortable)\?|\bcan (?:everyone|everybody|you all) hear\b`,
      cue`\b(?:who|what|why|how|where) on earth\b|\bwho in (?:their|his|her) right mind\b|\bwho (?:cares|knows|would ever|would have thought|doesn't|wouldn't|needs)\b|\bwhat (?:could|can) (?:possibly )?go wrong\b|\bwhy (?:me|not)\?|\bisn't (?:that|it) (?:great|lovely|something|funny)\b`,
      cue`\bi (?:keep |kept )?(?:asked|asking|ask|wondered|thought to) myself\b|\bi thought,`,
      cue`, (?:shouldn't|haven't|don't|didn't|wouldn't|can't) i\?|, right\?$|\byou know what\?`,
      cue`, (?:remember|you know|see|don't you think)\?$|^(?:i mean|seriously|come on|honestly|yeah,? and),? |\b(?:since when|how hard can|how many times|what's the point|when did .+ ever|who'd have|who would)\b`,
      cue`^(?:really|right|okay|ok|yes|no|sorry|pardon|what|seriously|oh)\?$`,
    ],
  },
  knowledge: {
    include: [
      cue`\b(?:is|are|was|were) (?:also |usually |often )?(?:called|known as|defined as|referred to as|termed)\b`,
      cue`\b(?:means that|stands for|refers to|is defined|by definition)\b`,
      cue`\b(?:what )?(?:a|an|the) [^,.;?!]+ means\b|\bthat means\b`,
      cue`\bwe call (?:this|that|it|them|these)\b|\bthis (?:is|effect is|process is) what\b`,
      cue`^${prefix}(?:a|an|the)? ?[^,.;?!]{2,60} (?:is|are) (?:basically |simply |essentially )?(?:a|an|the) (?:kind|type|form|method|process|measure|set|branch|way|collection|study|ability|amount|ratio|number|part|system|technique|unit|rule|law|theory|period|point) (?:of|in|for|that|to|where|which|at|by)\b`,
      cue`\b(?:consists of|is made up of|the difference between|the definition of|in other words|the reason (?:for this )?is)\b`,
    ],
    exclude: [
      cue`\b(?:i|we|you|he|she|they|my|your) (?:am|are|is|was|were) (?:a|the)\b|\bi mean\b`,
    ],
  },
  needs: {
    include: [
      cue`\b(?:i|we|they|he|she|you|customers?|clients?|users?|people|${NAME}) (?:really |also |still |all |just |do |badly |only )*(?:need|needs|want|wants|require|requires) (?!to (?:say|admit)\b)`,
      cue`\b(?:i'd|we'd|they'd|i would|we would|they would) (?:really |also )?(?:like|love|prefer|appreciate|need)\b`,
      cue`\b(?:i am|i'm|we are|we're|they are|they're) (?:also |still )?(?:looking for|hoping (?:for|to)|after a)\b`,
      cue`\b(?:it would be (?:good|great|nice|helpful|useful)|i wish|i hope|if only|what (?:i|we) need|is missing|we lack|we're short of|we could use|i could use)\b`,
    ],
    exclude: [
      cue`\b(?:don't|doesn't|didn't|do not|does not|no longer|not) (?:need|want|require)\b`,
    ],
  },
  decisions: {
    include: [
      cue`\b(?:(?:we're|we are) (?:all )?(?:settled|agreed|decided|set on|going with|sticking with)|then it's|so it's settled|that settles|final decision|we voted|signed off on)\b|^agreed\b|\bgo with (?:the|that|this|\d)`,
      cue`\b(?:we've|we have|i've|i have|we) (?:all )?(?:just )?(?:decided|agreed|settled|resolved|chosen|opted)\b`,
      cue`\b(?:let's|we'll|we will|i'll|we're going to|then we) (?:go (?:with|for|ahead)|stick (?:with|to)|settle (?:on|for)|choose|pick|leave it at|keep it at|say|postpone|do it)\b`,
      cue`\b(?:it is|it's|that is|that's|so that's|is|are|was|been) (?:now )?(?:decided|agreed|settled|approved|a deal|fixed)\b`,
      cue`\b(?:the decision is|decision made|agreed then|we agree|deal then|it's a deal|all in favour|then we're agreed|motion (?:is )?carried)\b`,
      cue`^${conclusion}(?:[^,.?]{0,20} )?${plan}`,
      cue`\bthat's final\b|\bthat's that\b|\bit's official\b|\bwe took a vote\b|\b(?:everybody|everyone|all) in favou?r\b|\b(?:one|ones) it is\b`,
    ],
    exclude: [
      cue`\b(?:not|haven't|hasn't|never|nothing|n't) (?:been |yet |all )*(?:decided|agreed|settled|approved)\b`,
    ],
  },
  transitions: cue`^(?:(?:okay|ok|right|so|all right|alright|good|great|well|anyway|now|and|then|perfect|fine|moving on|thanks|thank you)[,.]? )*(?:(?:the )?(?:next|second|third|fourth|fifth|last|final|other|another) (?:big |quick |small |and last |little )?(?:thing|item|point|topic|question|one|issue|subject|matter|up|on)\b|(?:next|last|lastly|finally|secondly|thirdly|last but not least|first|second|third)[,:]|moving on|(?:let's|we can|can we|shall we|we should) (?:now |quickly |also )?(?:talk about|move on|move to|get (?:in)?to|turn to|go on to|come to|switch to)|(?:that|this|which) (?:brings|leaves) (?:us|me)|on to |(?:as for|regarding|concerning|now for|now about|speaking of|back to|then there's|that leaves|and then there's) |one (?:more|last|other) (?:thing|point|question)|item \p{L}+|number (?:two|three|four)|any other business)`,
  announcements: [
    cue`^(?:here is|here are|here's) (?<topic>[^.!?]+)`,
    cue`^(?:this is|this will be) (?:a |my )?(?:note|memo|recording|reminder) (?:about|on|for|of) (?<topic>[^.!?]+)`,
    cue`(?:^|^[^,.]{2,40}, (?:and )?)(?:today|now|this time) (?:we are|we're|i am|i'm) (?:talking about |discussing )?(?<topic>[^.!?]+)`,
    cue`^(?:today |now )?(?:let's|let us|we want to|i want to|we'll|we will) (?:talk about|discuss|speak about) (?<topic>[^.!?]+)`,
    cue`^(?:today,? )we (?:talk|speak) about (?<topic>[^.!?]+)`,
    cue`^(?:i am|i'm) calling (?:you )?(?:about|because of|to) (?<topic>[^.!?]+)`,
    cue`\b(?:i'd|i would) like to (?<topic>[^.!?]+)`,
  ],
  numbers: {
    words: {
      ...enumerateWords(
        'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen',
        0,
      ),
      ...enumerateWords('fifteen sixteen seventeen eighteen nineteen', 15),
      ...enumerateWords('twenty thirty fort?y|fourty fifty sixty seventy eighty ninety', 20, 10),
      'a half': 0.5,
    },
    multipliers: { hundred: 100, thousand: 1000, grand: 1000, million: 1e6, billion: 1e9 },
    separator: '(?:[ -]|,? and )',
    vague:
      '(?:(?:a few|a couple(?: of)?|several|some|many) (?:hundred|thousand|million)|(?:hundreds|thousands|millions) of)',
  },
  money: {
    currencies: [
      { word: 'pounds?|quid', code: 'GBP' },
      {
        word: '(?:us )?dollars?|bucks?',
        code: 'USD',
        places: {
          CAD: String.raw`\bcanad(?:a|ian)\b`,
          AUD: String.raw`\baustralian?\b`,
          NZD: String.raw`\bnew zealand\b`,
        },
      },
      { word: 'euros?', code: 'EUR' },
      { word: '(?:swiss )?francs?', code: 'CHF' },
      { word: 'yen', code: 'JPY' },
      { word: 'yuan|renminbi', code: 'CNY' },
      { word: '(?:indian )?rupees?', code: 'INR' },
      { word: 'roubles?|rubles?', code: 'RUB' },
      { word: 'won', code: 'KRW' },
      { word: 'baht', code: 'THB' },
    ],
    signs: { '\\$': 'USD', '¥': 'JPY' },
    withoutCurrency: [
      String.raw`\b(?:costs?|costing|paid|pay|charged?|charges|quoted|spent|spend|price (?:is|was|of)|rent (?:is|was)|worth|budget (?:is|was|of)|comes? to|came to)(?: (?:me|us|him|her|you|them))? (?:about |around |only |just |roughly |nearly |almost |over )?{n}\b(?=[,.;?!]|$| (?:each|per|for|a (?:month|week|day|head|person|night|year)|and|but|in total|altogether))(?![,.]\d)`,
    ],
    bare: {
      subject: String.raw`\b(?:cost\p{L}*|pric\p{L}*|pay\p{L}*|paid|budget\p{L}*|rent|fees?|invoice\p{L}*|bills?|quote[ds]?|deposit|salary|wage\p{L}*|charg\p{L}+|spen[dt]\p{L}*|owe\p{L}*|worth|money|cheap\p{L}*|expensive|discount|earn\p{L}*|refund\p{L}*|afford|grants?|donat\p{L}+|fund\p{L}*|fares?|sell\p{L}*|sold|buy\p{L}*|bought)\b`,
      next: String.raw` (?:for|a|an|per|each|and|or|but|if|is|was|in|altogether|total|all|plus|with|on|to|at|by|max|tops|then|because|so|which|that|when|from|upfront|before|after|now|instead|extra|more|less)\b`,
      labels: String.raw`\b(?:room|flat|number|page|building|gate|platform|line|bus|version|step|chapter|route|unit|block|street|hall|item|clause|section|model|since|until|by|in)`,
    },
    purposes: [
      cue`\b(?:spend|spent) [^.;?!]{0,30} on (?<purpose>[^,.;?!]+?)(?=[,.;?!]|$| (?:and|but|if|because)\b)`,
      cue`\bfor (?<purpose>(?!\d|that\b|it\b|this\b|me\b|us\b|you\b|him\b|her\b)[^,.;?!]+?)(?=[,.;?!]|$| (?:and|but|if|because|which|that|by|on|at|in|per|before|after|is|was|will|costs?)\b)`,
      cue`\b(?<purpose>(?:the|our|your|my|a|an|his|her|their|this|that) (?:\p{L}+ ){0,3}?\p{L}+) (?:will |would |still )?(?:costs?|comes? to|came to|is|was|are|were|stays?)\b`,
    ],
  },
  dates: {
    months:
      'jan(?:uary|\\.)? feb(?:ruary|\\.)? mar(?:ch|\\.) apr(?:il|\\.)? may june? july? aug(?:ust|\\.)? sept?(?:ember|\\.)? oct(?:ober|\\.)? nov(?:ember|\\.)? dec(?:ember|\\.)?'.split(
        ' ',
      ),
    weekdays: 'sunday monday tuesday wednesday thursday friday saturday'.split(' '),
    relative: [
      ['today', 0],
      ['tonight', 0],
      ['this (?:morning|afternoon|evening)', 0],
      ['tomorrow', 1],
      ['(?:the )?day after tomorrow', 2],
      ['yesterday', -1],
      ['last night', -1],
      ['(?:the )?day before yesterday', -2],
      ['in a week', 7],
      ['a week ago', -7],
      ['a fortnight ago', -14],
      ['in a fortnight', 14],
      [
        '(?:the )?(?:next|last|this|following|coming|previous) (?:week|weekend|month|fortnight)',
        null,
      ],
      ['the week after next', null],
      ['the weekend', null],
      ['a month ago', null],
      ['christmas eve', null],
      ['christmas(?: day)?', null],
      ["new year's (?:eve|day)", null],
      ['easter', null],
    ],
    ordinals: {
      ...enumerateWords(
        'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth',
        1,
      ),
      ...enumerateWords(
        'twenty[-\\s]first twenty[-\\s]second twenty[-\\s]third twenty[-\\s]fourth twenty[-\\s]fifth twenty[-\\s]sixth twenty[-\\s]seventh twenty[-\\s]eighth twenty[-\\s]ninth thirtieth thirty[-\\s]first',
        21,
      ),
    },
    words: {
      next: 'next|this coming|the coming',
      last: 'last|this past',
      this: 'this',
      'week+1': 'next week',
      'week-1': 'last week',
      'week+0': 'this week',
      hour: String.raw`[012]?\d|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve`,
      days: 'days?',
      weeks: 'weeks?',
      months: 'months?',
      ahead: 'in',
      ago: 'ago',
    },
    forms: [
      String.raw`\b(?:the )?(?<day>\d\d?(?:st|nd|rd|th)?)(?: of)? {month}\b(?:,? {year}\b)?`,
      String.raw`\b(?:the )?{ordinal}(?: of)? {month}\b(?:,? {year}\b)?`,
      String.raw`\b{month} (?:the )?(?<day>\d\d?(?:st|nd|rd|th)?)\b(?:,? {year}\b)?(?!:)`,
      String.raw`\b{month} (?:the )?{ordinal}\b(?:,? {year}\b)?`,
      String.raw`(?<=\b(?:on|by|until|till|before|from|for|to|after|since) )the (?:(?<day>\d\d?(?:st|nd|rd|th))|{ordinal})(?=[,.;?!]|$| (?:at|and|if|to|we|i|or|instead)\b)`,
      String.raw`\b{relative}\b`,
      String.raw`\b(?:(?:{last}|{next}|{this}) )?{weekday}\b(?!s\b)`,
      String.raw`\b{weekday} (?:of )?(?:{week+1}|{week-1}|{week+0})\b`,
      String.raw`\b(?:{week+1}|{week-1}|{week+0}),? (?:on )?{weekday}\b`,
      String.raw`\b(?:the )?(?:very )?(?:end|beginning|start|middle) of (?:the |this |next |last )?(?:{month}|week|month)\b`,
      String.raw`\b(?:early|late|mid|last|next|this)[ -]{month}\b`,
      String.raw`(?<=\b(?:in|by|until|till|since|of|during|for) ){month}\b(?! (?:i|we|you|be)\b)`,
      String.raw`\b{ahead} {n} (?:{days}|{weeks}|{months})\b(?! of\b)`,
      String.raw`\b{n} (?:{days}|{weeks}|{months}) {ago}\b`,
      String.raw`\b{hour}(?::\d\d)? ?(?:am|pm|a\.m\.|p\.m\.)(?![\p{L}])`,
      String.raw`\b{hour} o'clock\b(?: sharp\b)?`,
      String.raw`\b(?:half past|(?:a )?quarter (?:past|to)) {hour}\b`,
      String.raw`\b(?:noon|midnight|midday)\b`,
      String.raw`(?<=\b(?:at|by|until|till|before|after) ){hour}(?: thirty| fifteen| forty-five)?\b(?=[,.;?!]|$| (?:in the|on|sharp|tomorrow|today|tonight|and|or|at|with|if|so|then)\b)(?![,.]\d)`,
    ],
    parts: [
      String.raw`\b(?:the )?(?:early |late )?(?:morning|afternoon|evening|night|lunchtime)\b`,
      String.raw`(?<=\b(?:at|around|about) ){hour}(?: thirty| fifteen| forty-five)?\b(?! (?:percent|people|pounds|dollars|euros))`,
    ],
    exclusions: [
      String.raw`\b(?:every|each|most|all|once a|twice a|per) (?:other )?(?:{weekday}s?|morning|afternoon|evening|night|week|month|day)\b`,
      String.raw`\b(?:on )?{weekday}s\b`,
      String.raw`\bgood (?:morning|afternoon|evening|night)\b`,
      String.raw`\b(?:one of these days|these days|the other day|all day)\b`,
    ],
    separator: ',? ?(?:(?:at|in|on|around|about|by) )*(?:the )?',
    pastTense: cue`\b(?:was|were|had|did|went|came|got|said|told|took|made|since|already)\b(?!.*\bwill\b)`,
  },
};
