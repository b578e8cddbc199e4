#!/usr/bin/env python3
"""Makes the extension: a .vsix, which is a zip with a manifest. With --record, writes what the bundle was made from."""

import hashlib
import json
import sys
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

HERE = Path(__file__).resolve().parent
KINDS = {".json": "application/json", ".js": "application/javascript", ".md": "text/markdown", ".vsixmanifest": "text/xml", ".txt": "text/plain"}
SOURCES = ["src/extension.js", "package.json", "package-lock.json"]


def manifest_of(package):
    """The description that the editor reads first."""
    assets = [("Microsoft.VisualStudio.Code.Manifest", "extension/package.json"), ("Microsoft.VisualStudio.Services.Content.Details", "extension/README.md")]
    listed = "".join(f'<Asset Type="{kind}" Path="{path}" Addressable="true"/>' for kind, path in assets)
    identity = f'Language="en-US" Id={quoteattr(package["name"])} Version={quoteattr(package["version"])} Publisher={quoteattr(package["publisher"])}'
    engine = quoteattr(package["engines"]["vscode"])
    return (
        '<?xml version="1.0" encoding="utf-8"?>'
        '<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">'
        f"<Metadata><Identity {identity}/><DisplayName>{escape(package['displayName'])}</DisplayName>"
        f'<Description xml:space="preserve">{escape(package["description"])}</Description>'
        f"<Tags>{escape(','.join(package['keywords']))}</Tags><Categories>{escape(','.join(package['categories']))}</Categories>"
        f'<Properties><Property Id="Microsoft.VisualStudio.Code.Engine" Value={engine}/></Properties></Metadata>'
        '<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation><Dependencies/>'
        f"<Assets>{listed}</Assets></PackageManifest>"
    )


def content_types():
    kinds = "".join(f'<Default Extension="{end}" ContentType="{kind}"/>' for end, kind in KINDS.items())
    return f'<?xml version="1.0" encoding="utf-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">{kinds}</Types>'


def files(package):
    """All files of the extension: those that package.json names, and the texts."""
    contributes = package["contributes"]
    named = [package["main"]]
    named += [language["configuration"] for language in contributes["languages"]]
    named += [it["path"] for it in contributes["grammars"] + contributes["snippets"]]
    named += ["package.json", "README.md", "dist/notices.txt"]
    return sorted({name.removeprefix("./") for name in named})


def notices():
    """The licences of what is in the bundle."""
    texts = []
    for folder in sorted((HERE / "node_modules").iterdir()):
        licences = [f for f in sorted(folder.iterdir()) if f.name.lower().startswith("licen")] if folder.is_dir() else []
        if licences and "esbuild" not in folder.name:
            texts.append(f"{folder.name}\n\n{licences[0].read_text().strip()}\n")
    return ("\n" + "-" * 72 + "\n\n").join(texts)


def record():
    """Hashes of what the bundle is made from, and of the bundle."""
    names = SOURCES + ["dist/extension.js"]
    return {name: hashlib.sha256((HERE / name).read_bytes()).hexdigest() for name in names}


def write(target):
    package = json.loads((HERE / "package.json").read_text())
    root = HERE.parent.parent
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("extension.vsixmanifest", manifest_of(package))
        made.writestr("[Content_Types].xml", content_types())
        for name in files(package):
            made.write(HERE / name, f"extension/{name}")
        for name in ["LICENSE-MIT", "LICENSE-APACHE"]:
            made.write(root / name, f"extension/{name}.txt")
    return target


if __name__ == "__main__":
    if "--record" in sys.argv:
        (HERE / "dist" / "notices.txt").write_text(notices())
        (HERE / "dist" / "made-from.json").write_text(json.dumps(record(), indent=2) + "\n")
    else:
        print(write(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "suppose.vsix"))
