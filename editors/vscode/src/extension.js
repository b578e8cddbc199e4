// The client: starts `suppose lsp`, and shows what commands find.

const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;
let output;

function settings() {
  return vscode.workspace.getConfiguration("suppose");
}

function selector() {
  const languages = ["fsp", "promela", "smv", "prism", "smtlib", "aut"];
  if (settings().get("c")) languages.push("c");
  return languages.flatMap((language) => [
    { scheme: "file", language },
    { scheme: "untitled", language },
  ]);
}

async function start() {
  const command = settings().get("path") || "suppose";
  const server = { command, args: ["lsp"], transport: TransportKind.stdio };
  client = new LanguageClient("suppose", "Suppose", server, {
    documentSelector: selector(),
    outputChannel: output,
    initializationOptions: { timeout: settings().get("timeout"), memory: settings().get("memory") },
    middleware: {
      // A run or a report is text to look at.
      executeCommand: async (name, given, next) => {
        const result = await next(name, given);
        if (result && result.text && name !== "suppose.check") output.show(true);
        return result;
      },
    },
  });
  try {
    await client.start();
  } catch (error) {
    const set = "Open settings";
    const chosen = await vscode.window.showErrorMessage(
      `Suppose: \`${command} lsp\` does not start (${error.message}). Install suppose, or say where it is.`,
      set,
    );
    if (chosen === set) vscode.commands.executeCommand("workbench.action.openSettings", "suppose.path");
  }
}

async function stop() {
  const old = client;
  client = undefined;
  if (old && old.isRunning()) await old.stop();
}

/** Runs a command of the server on the text in the active editor. */
async function onActive(command) {
  const editor = vscode.window.activeTextEditor;
  if (!editor || !client || !client.isRunning()) {
    vscode.window.showInformationMessage("Suppose: open a model first.");
    return;
  }
  const uri = client.code2ProtocolConverter.asUri(editor.document.uri);
  await vscode.commands.executeCommand(command, { uri });
}

async function activate(context) {
  output = vscode.window.createOutputChannel("Suppose");
  const command = (name, run) => vscode.commands.registerCommand(name, run);
  context.subscriptions.push(
    output,
    command("suppose.checkFile", () => onActive("suppose.check")),
    command("suppose.simulateFile", () => onActive("suppose.simulate")),
    command("suppose.restart", async () => {
      await stop();
      await start();
    }),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (!event.affectsConfiguration("suppose")) return;
      await stop();
      await start();
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
