# Opens workbooks in Excel and compares every formula with the value that Paperformer stored for it.
# Changes and saves nothing. See check-in-excel.md.
param(
    [Parameter(Mandatory)][string]$Book,  # the workbook to open
    [string]$Expected = $Book,            # the workbook whose stored values are expected
    [string]$Name = '',                   # a name whose first cell is typed over before, and
    [double]$Value = 0                    # what is typed into it
)
Set-StrictMode -Version 3
$ErrorActionPreference = 'Stop'
Add-Type -AssemblyName System.IO.Compression.FileSystem
$invariant = [Globalization.CultureInfo]::InvariantCulture

function Get-Stored([string]$Path) {
    # Each formula cell with the value in the file: number of the sheet, address, text or number.
    $zip = [IO.Compression.ZipFile]::OpenRead((Resolve-Path $Path))
    try {
        for ($number = 1; $entry = $zip.GetEntry("xl/worksheets/sheet$number.xml"); $number++) {
            $xml = New-Object System.Xml.XmlDocument
            $stream = $entry.Open()
            $xml.Load($stream)
            $stream.Close()
            foreach ($cell in $xml.GetElementsByTagName('c')) {
                if ($cell.GetElementsByTagName('f').Count -eq 0) { continue }
                [pscustomobject]@{
                    Sheet = $number
                    Cell = $cell.GetAttribute('r')
                    Text = $cell.GetAttribute('t') -eq 'str'
                    Value = $cell.GetElementsByTagName('v').Item(0).InnerText
                }
            }
        }
    } finally { $zip.Dispose() }
}

function Test-Same($Stored, $Found) {
    # Texts may differ in the decimal sign: they follow the language of this Excel.
    if ($Stored.Text) { return ("$Found" -replace ',', '.') -ceq ($Stored.Value -replace ',', '.') }
    if ($Found -isnot [double]) { return $false }
    $wanted = [double]::Parse($Stored.Value, $invariant)
    return [Math]::Abs($Found - $wanted) -le 1e-9 * [Math]::Max(1, [Math]::Abs($wanted))
}

$stored = @(Get-Stored $Expected)
$excel = New-Object -ComObject Excel.Application
try {
    $excel.Visible = $false
    $excel.DisplayAlerts = $false
    $decimal = $excel.International(3)
    "Excel $($excel.Version) build $($excel.Build), decimal sign '$decimal'"
    $opened = $excel.Workbooks.Open((Resolve-Path $Book).Path, 0, $true)
    if ($Name) { $opened.Names.Item($Name).RefersToRange.Cells.Item(1, 1).Value2 = $Value }
    $excel.CalculateFullRebuild()
    if ($Name) {
        # Only the numbers of the steps: what says how much was changed differs, and must.
        $homes = @{}
        foreach ($defined in $opened.Names) {
            if ($defined.Name -match '!') { continue }
            foreach ($cell in $defined.RefersToRange.Cells) {
                $homes["$($cell.Worksheet.Index)|$($cell.Address($false, $false))"] = $true
            }
        }
        $stored = @($stored | Where-Object { $homes.ContainsKey("$($_.Sheet)|$($_.Cell)") })
    }
    $different = 0
    $triangles = 0
    foreach ($one in $stored) {
        $cell = $opened.Worksheets.Item($one.Sheet).Range($one.Cell)
        if (-not (Test-Same $one $cell.Value2)) {
            $different++
            "DIFFERENT $($cell.Worksheet.Name)!$($one.Cell): $($cell.Text), stored $($one.Value)"
        }
        foreach ($kind in 1, 3, 4, 5, 6) {
            $sign = $cell.Errors.Item($kind)
            if ($sign.Value -and -not $sign.Ignore) {
                $triangles++
                "TRIANGLE $($cell.Worksheet.Name)!$($one.Cell): kind $kind"
            }
        }
    }
    foreach ($sheet in $opened.Worksheets) { "$($sheet.Name): $($sheet.PageSetup.Pages.Count) page(s)" }
    "$($stored.Count) formulas, $different different, $triangles green triangles"
    $opened.Close($false)
} finally { $excel.Quit() }
if ($different) { exit 1 }
