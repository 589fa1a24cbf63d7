// The editor of a cell: CodeMirror 6.

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, gutters, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

const setFault = StateEffect.define(); // the number of a line, or null
const faultyLine = StateField.define({
  create: () => Decoration.none,
  update(marks, change) {
    for (const effect of change.effects) {
      if (!effect.is(setFault)) continue;
      const line = effect.value;
      if (!line || line > change.state.doc.lines) return Decoration.none;
      return Decoration.set([Decoration.line({ class: "tot-live-fault" }).range(change.state.doc.line(line).from)]);
    }
    return change.docChanged ? Decoration.none : marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/**
 * An editor in `parent`. `run(advance)`: Shift+Enter or Ctrl+Enter; `changed(code)`: after each edit.
 * Tab leaves the editor, as it leaves any other part of a page; Ctrl+] indents.
 */
export function edit(parent, { code, label, run, changed }) {
  const command = (advance) => () => { run(advance); return true; };
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: code,
      extensions: [
        keymap.of([
          { key: "Shift-Enter", run: command(true) },
          { key: "Mod-Enter", run: command(false) },
          ...defaultKeymap, ...historyKeymap,
        ]),
        history(), indentOnInput(), bracketMatching(), lineNumbers(), gutters({ fixed: false }), python(), indentUnit.of("    "), faultyLine,
        syntaxHighlighting(classHighlighter),
        EditorView.domEventHandlers({ keydown: (event) => { // a page's own keys, such as "/" for its search, are letters here
          if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
        } }),
        EditorView.contentAttributes.of({ "aria-label": label }),
        EditorView.updateListener.of((update) => update.docChanged && changed(update.state.doc.toString())),
      ],
    }),
  });
  return {
    code: () => view.state.doc.toString(),
    focus: () => view.focus(),
    /** Marks the line of an error; null takes the mark away. */
    mark: (line) => view.dispatch({ effects: setFault.of(line) }),
    close: () => view.destroy(),
  };
}
