import { alarmSentences } from './cloud/alarms.ts';
import { boardSentences } from './cloud/board.ts';
import { canarySentences } from './cloud/canary.ts';
import { docsSentences } from './cloud/docs.ts';
import { edgeSentences } from './cloud/edge.ts';
import { eventSentences } from './cloud/events.ts';
import { functionSentences } from './cloud/functions.ts';
import { gatewaySentences } from './cloud/gateway.ts';
import { nagSentences } from './cloud/nag.ts';
import { stageSentences } from './cloud/of-the-stage.ts';
import { quotaSentences } from './cloud/quotas.ts';
import { releaseSentences } from './cloud/release.ts';
import { rightsSentences } from './cloud/rights.ts';
import { boardStage, edgeStage, productionStage } from './cloud/stages.ts';
import { synthesize } from './cloud/synthesized.ts';
import { tableSentences } from './cloud/table.ts';

// One synthesis of each kind for all sentences.
const dev = synthesize();
const production = synthesize(productionStage);
const edge = synthesize(edgeStage);
const board = synthesize(boardStage);

functionSentences(dev, production);
rightsSentences(dev, production);
eventSentences(dev);
alarmSentences(dev);
canarySentences(production);
docsSentences(dev);
gatewaySentences(dev, production);
stageSentences(dev, production);
tableSentences(dev, production);
releaseSentences(dev, production);
edgeSentences(edge, production);
boardSentences(board, production);
nagSentences({ dev, production, edge, board });
quotaSentences({ dev, production, edge, board });
