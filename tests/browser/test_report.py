"""The HTML report in a real browser: it opens, is drawn, moves, and no name in it acts.

Needs Debian's `chromium` and the pip packages `playwright` and `pytest` (no browser download). Reports come
from two programs, built first unless the environment says where they are:

- SUPPOSE_SAMPLES: `cargo build -p suppose-report --example sample_report`, hand-made reports;
- SUPPOSE_BIN: `cargo build`, the program itself on a model of ours.

CHROMIUM names another browser than /usr/bin/chromium.
"""

import json
import subprocess

import pytest

from conftest import ROOT, built


@pytest.fixture(scope="session")
def samples():
    return built("SUPPOSE_SAMPLES", "-p", "suppose-report", "--example", "sample_report")


class Opened:
    """A page with all that it complained about or asked for."""

    def __init__(self, browser, path, **options):
        self.complaints, self.requests = [], []
        options.setdefault("viewport", {"width": 1200, "height": 900})
        self.context = browser.new_context(**options)
        self.page = self.context.new_page()
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: self.complaints.append("dialog"))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.add_init_script(
            "addEventListener('securitypolicyviolation', e => { (window.__violations ??= []).push(e.violatedDirective); })"
        )
        self.url = path.as_uri()
        self.page.goto(self.url)

    def check_quiet(self):
        assert self.complaints == []
        assert self.requests == [self.url]
        assert self.page.evaluate("window.__violations") is None


@pytest.fixture
def opened(browser, samples, tmp_path):
    """Opens the sample of a name, and checks at the end that it was quiet."""
    all_opened = []

    def open_sample(name, **options):
        path = tmp_path / f"{name}.html"
        path.write_bytes(subprocess.run([samples, "html", name], check=True, capture_output=True).stdout)
        all_opened.append(Opened(browser, path, **options))
        return all_opened[-1].page

    yield open_sample
    for each in all_opened:
        each.check_quiet()
        each.context.close()


def data(samples, name):
    """The same sample as JSON."""
    return json.loads(subprocess.run([samples, "json", name], check=True, capture_output=True).stdout)


SAMPLES = ["channel", "hostile", "one", "many", "large", "long", "wide", "mixed"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", SAMPLES)
def test_opens_quietly_and_gives_the_verdict(opened, samples, name, scheme):
    page = opened(name, color_scheme=scheme)
    assert page.locator("header .badge").inner_text() == data(samples, name)["verdict"]
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    light = sum(int(part) for part in background[4:-1].split(",")) > 3 * 128
    assert light == (scheme == "light")


@pytest.mark.parametrize("name", ["channel", "one", "many", "hostile"])
def test_the_assumption_is_drawn(opened, samples, name):
    page = opened(name)
    drawing = page.locator("section.claim figure.drawing svg").first
    assumption = data(samples, name)["claims"][0]["assumptions"][0]
    assert drawing.locator("g.node").count() == assumption["states"]
    pairs = {(edge["source"], edge["target"]) for edge in assumption["edges"]}
    assert drawing.locator("g.edge").count() == len(pairs)
    box = drawing.locator("g.node").first.bounding_box()
    assert box["width"] > 10 and box["height"] > 10


def test_a_large_assumption_is_not_drawn(opened):
    page = opened("large")
    assert page.locator("section.claim figure.drawing").count() == 0
    assert "Too large to draw" in page.locator(".too-large").inner_text()


def test_pointing_at_a_state_tells_what_it_stands_for(opened):
    page = opened("channel")
    figure = page.locator("section.claim figure.drawing").first
    node = figure.locator("g.node").first
    title = node.locator("title").text_content()
    assert "stands for 2 concrete states" in title and "output.2" in title
    node.hover()
    assert "output.2" in figure.locator(".info").inner_text()
    assert figure.locator("g.edge.lit").count() == 3
    page.mouse.move(0, 0)
    assert figure.locator("g.edge.lit").count() == 0


def view(figure):
    return [float(part) for part in figure.locator("svg").get_attribute("viewBox").split()]


def test_zoom_and_move(opened):
    page = opened("many")
    figure = page.locator("section.claim figure.drawing").first
    start = view(figure)
    figure.get_by_role("button", name="Zoom in").click()
    closer = view(figure)
    assert closer[2] < start[2] and closer[3] < start[3]
    figure.get_by_role("button", name="Zoom out").click()
    assert view(figure)[2] == pytest.approx(start[2])
    figure.locator(".canvas").focus()
    page.keyboard.press("+")
    assert view(figure)[2] == pytest.approx(closer[2])
    page.keyboard.press("ArrowRight")
    assert view(figure)[0] > closer[0]
    box = figure.locator(".canvas").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] - 12
    page.mouse.move(x, y)
    before = view(figure)
    page.mouse.down()
    page.mouse.move(x - 80, y - 30)
    page.mouse.up()
    after = view(figure)
    assert after[0] > before[0] and after[1] > before[1] and after[2] == before[2]
    page.keyboard.down("Control")
    page.mouse.wheel(0, -200)
    page.keyboard.up("Control")
    page.wait_for_function(
        "([figure, width]) => figure.querySelector('svg').viewBox.baseVal.width < width",
        arg=[figure.element_handle(), after[2] * 0.9],
    )
    figure.get_by_role("button", name="Show all").click()
    shown = view(figure)
    for node in figure.locator("g.node rect").all():
        left, width = float(node.get_attribute("x")), float(node.get_attribute("width"))
        assert shown[0] <= left and left + width <= shown[0] + shown[2]


def test_names_do_not_act(opened, samples):
    page = opened("hostile")
    for fold in page.locator("details").all():
        fold.evaluate("element => element.open = true")
    assert page.evaluate("window.__pwned") is None
    # One script, and data.
    assert page.locator("script:not([type='application/json'])").count() == 1
    assert page.locator("img").count() == 0
    text = page.locator("body").inner_text()
    assert "<script>window.__pwned=1</script>" in text
    assert '"><img src=x onerror="window.__pwned=2">' in text
    assert "\\u{202e}desrever" in text and "\u202e" not in text
    assert page.locator("g.node title", has_text="<script>").count() > 0
    report = data(samples, "hostile")
    assert report["claims"][0]["assumptions"][0]["nodes"][0]["examples"][0].startswith("<script>")


def test_steps_and_what_changed(opened, samples):
    page = opened("channel")
    steps = data(samples, "channel")["claims"][1]["counterexample"]["steps"]
    rows = page.locator("table.steps tbody tr:not(.start)")
    assert rows.count() == len(steps) == 5
    for row, step in zip(rows.all(), steps):
        assert row.locator("td.action").inner_text() == step["label"]
        changed = row.locator("td.changed")
        assert changed.all_inner_texts() == [change["to"] for change in step["changes"]]
        for cell in changed.all():
            colour = "element => getComputedStyle(element).backgroundColor"
            assert cell.evaluate(colour) != row.locator("td").first.evaluate(colour)


def test_the_chart_has_a_line_for_each_component_that_moves(opened):
    page = opened("channel")
    chart = page.locator(".chart")
    assert chart.locator(".lifeline").count() == 2
    assert chart.locator("g.event").count() == 5
    assert chart.locator("g.event .bar").count() == 2
    for head, line in zip(chart.locator(".life text").all(), chart.locator(".lifeline").all()):
        name, life = head.bounding_box(), line.bounding_box()
        assert abs(name["x"] + name["width"] / 2 - life["x"] - life["width"] / 2) < 3


def test_the_history_is_plotted(opened):
    page = opened("many")
    assert page.locator("svg.plot").count() == 2
    assert page.locator("svg.plot").first.locator(".dot").count() == 24


def test_a_long_counterexample_stays_usable(opened):
    page = opened("long")
    assert page.locator("table.steps tbody tr:not(.start)").count() == 4_000
    pieces = page.locator("details.piece")
    assert pieces.count() == 20
    assert [index for index, fold in enumerate(pieces.all()) if fold.get_attribute("open") is not None] == [0, 19]
    pieces.nth(1).locator("summary").click()
    assert pieces.nth(1).locator("td.action").first.is_visible()
    assert page.evaluate("document.body.scrollHeight") < 20_000


def test_a_run_is_played_step_by_step(opened):
    page = opened("channel")
    player = page.locator(".stepper").first
    now = player.locator(".now")
    assert now.inner_text().startswith("Step 1: ")
    player.locator(".list").focus()
    page.keyboard.press("End")
    last = player.locator("input[type=range]").get_attribute("max")
    assert now.inner_text().startswith(f"Step {last}: ")
    assert player.locator(".values .changed").count() >= 1
    page.keyboard.press("Home")
    assert now.inner_text() == "Before the first step"
    before = player.locator(".values").inner_text()
    player.locator("[data-go=next]").click()
    player.locator("[data-go=back]").click()
    assert player.locator(".values").inner_text() == before
    player.locator("[data-go=play]").click()
    now.filter(has_text="Step 2: ").wait_for()
    player.locator("[data-go=play]").click()
    page.emulate_media(media="print")
    assert not player.is_visible()
    page.emulate_media(media="screen")


# A ring of 60,000 states, run around once.
LONG = """
mtype = { tick };
int n = 0;
active proctype Clock() {
    do
    :: n < 30000 ->
        n = n + 1
    :: n == 30000 -> assert(false)
    od
}
"""


def test_sixty_thousand_steps_load_at_once_beside_their_source(browser, suppose, tmp_path):
    model, report = tmp_path / "clock.pml", tmp_path / "out.html"
    model.write_text(LONG)
    run = subprocess.run(
        [suppose, "check", model, "--no-deadlock", "--report", report], capture_output=True, text=True
    )
    assert run.stdout.splitlines()[-1:] == ["violated(assertions)"], run.stdout + run.stderr
    assert report.stat().st_size < 5_000_000
    opened = Opened(browser, report)
    page = opened.page
    player = page.locator(".stepper")
    steps = int(player.locator("input[type=range]").get_attribute("max"))
    assert steps > 60_000
    # Only what is in sight is an element.
    assert player.locator(".step").count() < 100
    player.locator("[data-go=last]").click()
    assert "assert(false)" in player.locator(".line.here").inner_text()
    assert "n = 30000" in player.locator(".values").inner_text()
    player.locator("input[type=search]").fill("n = 12345")
    player.locator("input[type=search]").press("Enter")
    assert "n = 12345" in player.locator(".values").inner_text()
    assert "n = n + 1" in player.locator(".line.here").inner_text()
    opened.check_quiet()
    opened.context.close()


def test_folds_open_on_paper(opened):
    page = opened("long")
    folded = "document.querySelectorAll('details:not([open])').length"
    before = page.evaluate(folded)
    assert before > 0
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(folded) == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(folded) == before


def test_folds_and_links_work_from_the_keyboard(opened):
    page = opened("channel")
    page.locator("summary", has_text="As text").focus()
    page.keyboard.press("Enter")
    assert "A = Q0" in page.locator("section.claim pre").first.inner_text()
    page.locator("a[href='#claim-2']").focus()
    page.keyboard.press("Enter")
    page.wait_for_function("location.hash === '#claim-2'")


def test_narrow_screens_do_not_scroll_sideways(opened):
    for name in ["channel", "hostile", "long"]:
        page = opened(name, viewport={"width": 380, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= 380


def test_paper_shows_all_of_a_drawing(opened):
    page = opened("many")
    figure = page.locator("section.claim figure.drawing").first
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    left, _, width, _ = view(figure)
    for node in figure.locator("g.node rect").all():
        assert left <= float(node.get_attribute("x")) <= left + width
    page.emulate_media(media="print")
    assert not figure.locator(".tools").is_visible()
    page.emulate_media(media="screen")


MODEL = """
INPUT = (in -> send -> ack -> INPUT).
OUTPUT = (send -> out -> ack -> OUTPUT).
property ORDER = (in -> out -> ORDER).
property WRONG = (out -> in -> WRONG).
||SYSTEM = (INPUT || OUTPUT || ORDER || WRONG).
"""


def test_the_program_writes_such_a_report(browser, suppose, tmp_path):
    model, report = tmp_path / "channel.lts", tmp_path / "out.html"
    model.write_text(MODEL)
    run = subprocess.run([suppose, "check", model, "--report", report], capture_output=True, text=True)
    assert run.stdout.splitlines()[-1:] == ["violated(WRONG)"], run.stdout + run.stderr
    opened = Opened(browser, report)
    page = opened.page
    assert page.locator("header .badge").inner_text() == "violated"
    assert page.locator("table.summary tbody tr").count() == 3
    assert page.locator("table.steps td.action").first.inner_text() == "in"
    assert page.locator("table.steps td.changed").count() > 0
    opened.check_quiet()
    opened.context.close()


def test_a_probabilistic_report_draws_specification_assumption_and_tree(browser, suppose, tmp_path):
    folder = ROOT / "examples/prism/client-server"
    spec = folder / "csn-2-spec.nm"
    for model, drawings, word in [("csn-2.nm", ["The specification", "Assumption A"], "holds"),
                                  ("csn-2-wrong.nm", ["The specification", "Counterexample"], "violated")]:
        path = tmp_path / f"{model}.html"
        command = [suppose, "report", folder / model, "--spec", spec, "--engine", "agar-n",
                   "--split", "server/*", "-o", path]
        subprocess.run(command, capture_output=True)
        opened = Opened(browser, path)
        assert word in opened.page.title()
        headings = opened.page.locator("h3").all_inner_texts()
        for drawing in drawings:
            assert any(drawing in heading for heading in headings), headings
        assert opened.page.locator(".node.draw").count() > 0, "draws are dots"
        assert opened.page.locator("svg.drawing-svg").count() >= 2
        opened.check_quiet()
        opened.context.close()


SMV = """
MODULE main
IVAR go : boolean;
VAR light : {red, green, yellow}; turns : 0..3; broken : boolean;
ASSIGN
  init(light) := red;
  next(light) := case light = red & go : green; light = green : yellow; light = yellow : red; TRUE : light; esac;
  init(turns) := 0;
  next(turns) := case light = yellow & turns < 3 : turns + 1; TRUE : turns; esac;
INVARSPEC NAME few := turns < 2 | broken
LTLSPEC NAME comes := F light = green
SPEC NAME back := AG (light = yellow -> AX light = red)
"""


def rows(table):
    """The rows of a run by variable: what every state has."""
    found = {}
    for row in table.locator("tbody tr").all():
        found[row.locator("th").inner_text()] = row.locator("td").all_inner_texts()
    return found


def states(counterexample):
    """The same from JSON: values by variable, and inputs one state later than there is a step."""
    found = {}
    for number, state in enumerate(counterexample["states"]):
        for kind, suffix in [("changes", ""), ("inputs", " input")]:
            for change in state[kind]:
                values = found.setdefault(change["name"] + suffix, [])
                values += values[-1:] * (number - len(values)) if values else [""] * number
                values.append(change["value"])
    length = len(counterexample["states"])
    return {name: values + values[-1:] * (length - len(values)) for name, values in found.items()}


def smv_report(browser, suppose, tmp_path, text, *options, name="light.smv"):
    """The page on a model, and the same as JSON."""
    model, report = tmp_path / name, tmp_path / "out.html"
    model.write_text(text)
    command = [suppose, "check", model, "--engine", "bdd", "--format", "json", "--report", report, *options]
    run = subprocess.run(command, capture_output=True, text=True)
    return Opened(browser, report), json.loads(run.stdout)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_smv_report_has_a_table_of_every_run(browser, suppose, tmp_path, scheme):
    opened, document = smv_report(browser, suppose, tmp_path, SMV)
    page = opened.page
    page.emulate_media(color_scheme=scheme)
    assert page.locator("header .badge").inner_text() == "violated" == document["verdict"]
    assert page.locator("table.summary tbody tr").count() == 3
    badges = page.locator("section.claim h2 .badge").all_inner_texts()
    assert badges == [claim["verdict"] for claim in document["claims"]] == ["violated", "violated", "holds"]
    for number, length in [(0, 7), (1, 2)]:
        run = document["claims"][number]["counterexample"]
        section = page.locator(f"#claim-{number + 1}")
        assert f"{length} states" in section.locator("h3").first.inner_text()
        table = section.locator("table.steps")
        assert len(table.locator("thead th.number").all()) == length == len(run["states"])
        shown, told = rows(table), states(run)
        assert shown, "nothing of the run is shown"
        for variable, values in shown.items():
            assert values == told[variable], variable
        colour = "element => getComputedStyle(element).backgroundColor"
        for cell in table.locator("td.changed").all():
            assert cell.evaluate(colour) != table.locator("tbody th").first.evaluate(colour)
    changed = page.locator("#claim-1 table.steps tbody tr", has_text="turns").locator("td.changed")
    assert changed.all_inner_texts() == ["1", "2"]
    heads = page.locator("#claim-2 table.steps thead th.number").all_inner_texts()
    assert "loop" in heads[0] and "= 1" in heads[-1]
    # A variable that does not change is folded away, and comes out from the keyboard.
    fold = page.locator("#claim-1 details", has_text="never changes")
    assert not fold.locator("td").first.is_visible()
    fold.locator("summary").focus()
    page.keyboard.press("Enter")
    assert fold.locator("th[scope=row]").inner_text() == "broken"
    assert fold.locator("td").first.is_visible()
    page.locator("table.summary a[href='#claim-3']").click()
    page.wait_for_function("location.hash === '#claim-3'")
    opened.check_quiet()
    opened.context.close()


def test_an_smv_report_shows_a_run_that_gets_stuck_and_no_name_acts(browser, suppose, tmp_path):
    text = "MODULE main\nVAR x : 0..3;\nINIT x = 0;\nTRANS next(x) = x + 1;\nSPEC AG x < 4\n"
    hostile = "<img src=x onerror='window.__pwned=1'>.smv"
    opened, document = smv_report(browser, suppose, tmp_path, text, name=hostile)
    page = opened.page
    assert page.locator("header .badge").inner_text() == document["verdict"] == "holds"
    assert page.get_by_role("heading", name="A run to a deadlock").is_visible()
    table = page.locator("table.steps").first
    assert rows(table) == states(document["symbolic"]["stuck"]) == {"x": ["0", "1", "2", "3"]}
    assert page.evaluate("window.__pwned") is None
    assert page.locator("img").count() == 0
    opened.check_quiet()
    opened.context.close()


def test_a_wide_run_of_an_smv_model_scrolls_in_its_own_frame(browser, suppose, tmp_path):
    opened, _ = smv_report(browser, suppose, tmp_path, SMV)
    opened.page.set_viewport_size({"width": 380, "height": 800})
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= 380
    opened.check_quiet()
    opened.context.close()
