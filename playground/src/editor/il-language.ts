/** Highlighting of AMD IL, line by line: a mnemonic with its modifiers, then registers, swizzles and numbers. */
import { StreamLanguage } from '@codemirror/language';

interface State {
  /** Whether the next word is an instruction's name. */
  isAtStart: boolean;
}

const header = /^il_[a-z]+_\d+(?:_\d+)?/i;
const declaration = /^dcl_\w+/i;
const flow =
  /^(?:whileloop|endloop|loop|if\w*|else|endif|break\w*|continue\w*|switch|case|default|endswitch|func|endfunc|call\w*|ret\w*|mdef|mend|mcall|endmain|end)\b/i;
const register =
  /^(?:i?cb|[rlvoxgabci]|sr|mem|uav|in|out|vWinCoord|vFace|vPrim|vObjIndex|vInstance|oDepth|oMask|v(?:a|Abs)?Tid(?:InGrp)?(?:Flat)?|vThreadGrpId(?:Flat)?|vTGroupid|aL)\d*(?![\w])/i;
const number = /^-?(?:0x[\da-f]+|\d+\.?\d*(?:e[-+]?\d+)?f?)/i;

export const ilLanguage = StreamLanguage.define<State>({
  name: 'il',
  startState: () => ({ isAtStart: true }),
  token(stream, state) {
    if (stream.sol()) {
      state.isAtStart = true;
      // What brcc leaves behind its programs.
      if (stream.match(/^#.*/)) return 'meta';
    }
    if (stream.eatSpace()) return null;
    if (stream.match(/^;.*/)) return 'comment';
    if (state.isAtStart) {
      state.isAtStart = false;
      if (stream.match(header)) return 'meta';
      if (stream.match(declaration)) return 'keyword';
      if (stream.match(flow)) return 'controlKeyword';
      if (stream.match(/^\w+/)) return 'variableName.function';
    }
    if (stream.match(/^\.[xyzwrgba01_]+/i)) return null;
    // `_neg(xyzw)`, `_x2`: what is done to an operand.
    if (stream.match(/^_\w+/)) return 'modifier';
    if (stream.match(register)) return 'typeName';
    if (stream.match(number)) return 'number';
    if (stream.match(/^\w+/)) return null;
    stream.next();
    return null;
  },
  languageData: { commentTokens: { line: ';' } },
});
