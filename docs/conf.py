"""How Sphinx builds these pages as a site: `paperformer gallery DIR --docs`."""

project = "Paperformer"
extensions = ["myst_parser"]
exclude_patterns = ["pictures", "container"]
html_theme = "furo"
html_title = "Paperformer"
html_show_copyright = False
html_copy_source = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#174a63", "color-brand-content": "#174a63"}
}
myst_heading_anchors = 4
suppress_warnings = ["misc.highlighting_failure"]  # the picture of the packages is Mermaid
