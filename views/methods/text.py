"""How each number is made: the text of /methods, with its settings generated from their definitions."""

from dataclasses import dataclass

from views.methods.glossary import TEXT
from views.registry import VIEWS
from views.setting_kinds import Choice
from views.settings import defaults, definitions
from views.view import View

PATH = "/methods"
TITLE = "Methods"
QUESTION = "How is each number made?"


@dataclass(frozen=True, kw_only=True)
class Section:
    """A heading, what leads to it in an address, and its text in Markdown, formulas in TeX."""

    heading: str
    anchor: str
    text: str


NUMBERS = (
    Section(
        heading="A growth rate is a slope, and a rule about which points",
        anchor="growth-rate",
        text=r"""
A quantity $v$ of model or chip $i$, published at decimal year $t_i$, is fitted as

$$
\log_{10} v_i = a + b\,(t_i - \bar t) + \varepsilon_i .
$$

It grows by the factor $g = 10^{b}$ a year and doubles every $T_2 = \log_{10} 2 / b$ years.

Every year counts by its own length, leap years by 366 days. The order of choices is fixed: filters (domain,
confidence, vendor, memory) decide what is considered at all; the rule then picks among the **whole** history;
the window (`since`, `until`) keeps what is fitted. A run of 2012 is on the frontier against everything before
it, not only against what the window shows.

| rule | a point counts when |
|---|---|
| frontier | fewer than $k$ points released on the same day or earlier have a strictly larger value |
| records | no point released on the same day or earlier has a strictly larger value ($k = 1$) |
| notable, all | always |
| flagships | our curation marks it as the vendor's leading data-centre product of a generation |
""",
    ),
    Section(
        heading="Four estimators",
        anchor="estimators",
        text=r"""
- **Least squares** on $\log_{10} v$.
- **Theil-Sen**: the median of the slopes of all pairs of points (Theil 1950; Sen 1968). Up to about 29 % of
  the points may be wild without moving it far.
- **Quantile** (Koenker and Bassett 1978): the line that minimizes
  $\sum_i \rho_\tau(\log_{10} v_i - a - b t_i)$; a share $\tau$ of the points lies on or below it.
- **Kinked**: two straight lines that meet at the break year that fits best. The break counts as a parameter,
  and the kink is kept only if $\mathrm{BIC} = n \ln(\mathrm{RSS}/n) + p \ln n$ is lower than that of the
  straight line. The rate is then the one after the break. Where a kink beats a straight line by 2 or more,
  the other shape is drawn as well.
""",
    ),
    Section(
        heading="Four intervals",
        anchor="intervals",
        text=r"""
- **Clustered** (default): draw whole organizations or vendors anew with replacement, each with all its models or
  chips, pick the frontier again, fit again, 2,000 times: what one of them makes is not independent of the rest of
  what it makes. Where the fitted points are of fewer than five, rows are drawn and a note says so.
- **Bootstrap**: the same, but the models are drawn one by one. Either way the interval is cut from the slopes of
  the draws, and a model drawn twice takes two places among the top $k$. A bootstrap of the points already picked
  would leave out the chance in who is on the frontier.
- **Classical**: the t interval of least squares; the rank interval of Sen for Theil-Sen; the kernel sandwich
  for a quantile; the t interval with the break taken as known for a kink. It takes the picked points as
  given.
- **Calibrated**: the bootstrap of rows, and the interval for a new point stretched about the trend by what past
  forecasts would have needed to hold their level, year ahead by year ahead: the score of rank
  $\lceil (n+1)\,\text{level} \rceil$ of $n$ later points, a score being the error over the reach of the
  interval on its side (split conformal prediction; Lei et al., JASA 113, 2018). It never narrows and never
  shrinks from one year ahead to the next. The interval of the rate stays that of the bootstrap: a backtest
  sees where points fell, not what the true rate was. Of points up to two years after simulated trends whose
  slope wanders, plain 90 % intervals held 34 %, calibrated ones 90 %; about a random walk 66 % and 93 %.

With few points, percentiles of a bootstrap are too narrow; the tails are widened as Hesterberg (The American
Statistician 69, 2015) proposes, with $n - 2$ degrees of freedom.

How often do these 90 % intervals hold the truth? On simulated histories with a known rate, 600 each:

| simulated history | interval | coverage |
|---|---|---|
| 8 points | bootstrap as used here / plain percentiles / classical | 95 % / 84 % / 90 % |
| 15 points | the same three | 90 % / 85 % / 89 % |
| 60 points | the same three | 90 % / 89 % / 90 % |
| top-10 frontier | re-selecting, as used here / resampling the picked points | 92–93 % / 69–72 % |
| record setters | re-selecting / resampling the picked points | 93 % / 77 % |

With effects of organizations, on the dates and organizations of release 2026-07 and as large as estimated from it
(300 to 400 simulated histories each, November 2026), organizations drawn whole or row by row:

| rows (organizations) | whole / row by row | without effects |
|---|---|---|
| top-10 runs since 2012 (58) | 93 % / 85 % | 95 % / 92 % |
| bandwidth, all chips since 2008 (18) | 92 % / 76 % | 89 % / 88 % |
| bandwidth, flagships since 2012 (13) | 89 % / 84 % | 86 % / 86 % |

The records' projected height is covered less well than their slope: 84 % instead of 90 %.
""",
    ),
    Section(
        heading="Projections",
        anchor="projections",
        text=r"""
The **dark band** is where the trend itself should lie; the **light band** is where a new point should fall:
the draws of the trend plus a resampled residual, inflated by $\sqrt{n/(n-2)}$. The line is dotted beyond the
last point. Beyond half the fitted span it fades, and the page says so: from there on it is arithmetic, not a
forecast. Announced chips are drawn hollow and never fitted.
""",
    ),
    Section(
        heading="The gap and its three levels",
        anchor="levels",
        text=r"""
“5× a year against 28 % a year” compares a whole training run with one chip. Both numbers are right; their
ratio is not a shortage of bandwidth, because a run uses more chips, for longer, each year. The gap can be
stated

1. **run against chip**: compute per run over bandwidth per chip, the quoted one;
2. **chip against chip**: peak FLOP/s per byte/s of the same chips, at one precision;
3. **run against its chips**: the run's compute rate over the bandwidth of all the chips it used.

The start page draws the first and gives the other two beside it. The interval of a gap pairs the bootstrap draws
of both sides, which are drawn independently.
""",
    ),
    Section(
        heading="Growth taken apart",
        anchor="growth-taken-apart",
        text=r"""
Training compute is $C = N \cdot T \cdot P \cdot u$: chips, time, peak FLOP/s per chip at the precision used,
utilization. All five are fitted on the same runs, and a least-squares slope is linear in its values, so

$$
b_C = b_N + b_T + b_P + b_u , \qquad g_C = g_N \, g_T \, g_P \, g_u
$$

exactly, in every bootstrap draw too. $u = C / (N T P)$ is the remainder: it takes up every error of the other
parts, and where compute was estimated from chips, time and an assumed utilization it returns the assumption.
Only runs with all parts known come in; the same draws compare their growth with that of all selected runs.
""",
    ),
    Section(
        heading="Past forecasts",
        anchor="past-forecasts",
        text=r"""
At each half year the rule picks and the line is fitted with what was out by then. Whether a row leads is
decided by what was out on its own day, so nothing later enters; a test changes every later row and finds the same
forecasts.
What followed is compared with the interval (**coverage**) and with the line (median distance in orders of
magnitude), against no growth, last year's growth, a published rate and the kinked trend. Values of past rows
are today's, so real forecasts would have been somewhat worse; the comparison of two releases shows by how much
rows moved.

**Is it slowing?** The best single break is set against straight trends whose residuals are redrawn in blocks
of five neighbours. The wait since the last record is set against the trend known when it was set: points keep
coming at the pace of the two years before, or only as many as came. The second chance is far larger when few
came, and the data cannot say whether few were made or few are known.
""",
    ),
    Section(
        heading="Errors of the models",
        anchor="model-errors",
        text=r"""
[Model errors](/model-errors) compares every model with every measured row that set nothing. A row sets nothing where
the fit was made again without its chip, its model (on its chip) or its source; each row says which. With
$\hat v$ predicted and $v$ measured, the error is $\hat v / v - 1$; its size is the median of $|\hat v / v - 1|$, its
bias the median with sign.

Each row's 90 % interval is $\hat v \, e^{\pm h}$. The reach $h$ comes from $|\ln(v / \hat v)|$ of all other groups,
scaled by class or likeness (split conformal prediction with local scales; Lei et al., JASA 113, 2018, section 5.2).
Coverage is the share of rows inside. Its own interval is Wilson's on $p (1-p) / \mathrm{Var}(p)$ effective rows, with
$\mathrm{Var}(p)$ between groups, never more than there are rows (Korn and Graubard, Survey Methodology 24, 1998).

Two things flatter these errors: the form of a model was chosen with such rows in view, and rows of one source share
ways of measuring. Blind tests, on speeds gathered before any was predicted, are a [table](/data?table=blind-tests).
""",
    ),
    Section(
        heading="Units and terms",
        anchor="units",
        text=r"""
Numbers are in base units (FLOP, byte, byte/s, W, USD), prefixes decimal: 1 TB/s is $10^{12}$ byte/s. **Peak
throughput** always carries its precision and is dense; structured sparsity is never counted. **16-bit
throughput** is FP16 or BF16 on matrix units with FP32 accumulation where a chip has them, else on full-rate
ordinary units. **Link bandwidth** is per direction and device. **Training compute** is the total of
floating-point operations of the final training run as Epoch AI estimates it.
""",
    ),
    Section(heading="Glossary", anchor="glossary", text=TEXT),
    Section(
        heading="Links and files",
        anchor="links-and-files",
        text="""
A view is its link. A copied link spells out every setting and the data release, and releases never change, so
it always shows the same numbers. A setting that a link gets wrong is ignored, at its default, and the page
says so in one line. The same result without a browser: `python -m views '<link>'` prints it as JSON (a wrong
setting is then an error; `--lenient` does what the page does).

Each view and each deck has a **short link** too, `/v/` and a few letters, for print and for typing. Nothing is
stored for it: the letters themselves are the view, the release and what is off its default, with a check (CRC-32)
by which a wrong or missing letter shows. Capitals are the same as small letters, `o` is read as 0, `i` and `l` as 1.
A default that changes later does not change what a short link means. An ending gives the same in another form
(`/v/<letters>.png`), and a parameter given beside it stands in place of its own (`?release=latest`: the same
question, the newest data).
""",
    ),
)


SETTINGS = Section(
    heading="What each view computes, and what its settings mean",
    anchor="settings",
    text="",
)
"""The heading above the sections of the views."""


def contents() -> str:
    """Return the list of all sections, each with the link that leads to it, in Markdown."""
    lines = [f"- [{section.heading}](#{section.anchor})" for section in (*NUMBERS, SETTINGS)]
    views = ", ".join(f"[{view.title}](#settings-{view.name})" for view in VIEWS.values())
    return "\n".join([*lines, f"  - {views}"])


def _options(setting: Choice) -> str:
    """Return every option: its word in a link, its label in a control, and its meaning where that says more."""
    return "; ".join(
        f"`{word}` **{setting.label_of(word)}** {setting.more_of(word)}".rstrip() for word in setting.options
    )


def setting_rows(view: View) -> str:
    """Return what each setting of a view means, as a Markdown table."""
    default = defaults(view.settings)
    lines = ["| setting | control | default | means |", "|---|---|---|---|"]
    for name, setting in definitions(view.settings).items():
        meaning = _options(setting) if isinstance(setting, Choice) else setting.allowed
        lines.append(
            f"| `{name}` | {setting.label} | {default[name] or '(empty)'} | {setting.help} {meaning} |"
        )
    return "\n".join(lines)


def settings_sections() -> tuple[Section, ...]:
    """Return one section of settings for each view, in the order of the registry."""
    return tuple(
        Section(
            heading=f"{view.title}: {view.path}",
            anchor=f"settings-{view.name}",
            text="\n\n".join([*view.method, setting_rows(view)]),
        )
        for view in VIEWS.values()
    )
